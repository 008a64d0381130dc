// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/projects.h"
#include "frontends/kept_code.h"
#include "lint/collect.h"
#include "lsp/texts.h"
#include "rules/interest.h"

namespace vramlint::lsp {

/// A folder in which `vramlint check` could be run, and what it would say of the files that are
/// open in it: a folder of the workspace, or the one around a single file. Paths in it count from
/// it.
class Root {
 public:
  Root(std::string folder, config::Settings settings, const knowledge::Knowledge& knowledge,
       Texts& texts);

  const std::string& folder() const { return folder_; }
  /// An absolute path as it is called here, and the other way round.
  std::string shown(const std::string& absolute) const;
  std::string absolute(const std::string& shown) const;

  /// A program that is linted for as long as it is open.
  void open(const std::string& absolute);
  void close(const std::string& absolute);

  /// The text or the existence of a path has changed.
  void forget(const std::string& absolute);
  /// Every configuration is read again. With `settings`, those of the editor have changed.
  void reload();
  void reload(config::Settings settings);

  /// What is found now, by the files of this folder as they are shown. Only programs that have
  /// changed are analyzed.
  const output::Report& report();
  /// The same if these texts stood in place of those of the same paths.
  std::vector<diagnostics::Diagnostic> findings_with(
      const std::map<std::string, std::string, std::less<>>& changed);
  /// What is wrong with a configuration.
  std::optional<Error> configuration_error() const;
  /// Whether the configuration or the target may depend on the file.
  bool is_configured_by(const std::string& absolute) const;
  const config::Project& project_of(const std::string& absolute);

 private:
  struct Entry {
    std::unique_ptr<Snapshot> files;  ///< that it was analyzed with; null: it has to be
    lint::Linted linted;
  };

  void read_configuration();
  const rules::Interest& interest_of(const config::Project& project);
  std::vector<lint::Job> jobs();

  std::string folder_;
  config::Settings settings_;
  const knowledge::Knowledge& knowledge_;
  Texts& texts_;
  std::unique_ptr<config::Projects> projects_;
  std::map<const config::Project*, rules::Interest> interests_;
  std::string baseline_path_;  ///< absolute; empty for none
  std::optional<diagnostics::Baseline> baseline_;
  std::optional<Error> baseline_error_;
  lint::Narrowing narrowing_;
  frontends::KeptCode kept_;
  std::map<std::string, Entry, std::less<>> entries_;  ///< by path as shown
  std::optional<output::Report> report_;
};

/// The folder in which a file outside of all workspace folders is linted: that of its repository or
/// project, else its own.
std::string folder_around(const std::string& absolute);

}  // namespace vramlint::lsp
