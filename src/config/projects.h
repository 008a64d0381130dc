// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/layers.h"
#include "config/settings.h"
#include "config/target.h"
#include "diagnostics/selection.h"
#include "knowledge/knowledge.h"

namespace vramlint::config {

/// Everything that is decided for the files of one folder before they are read.
struct Project {
  Settings settings;  ///< of the nearest configuration, the command line on top
  knowledge::Target target;
  Origins origins;  ///< of the target
  diagnostics::Selection selection;
  diagnostics::Severity level = diagnostics::Severity::warning;
  std::string root = ".";  ///< in which the project's modules are looked up, as shown
};

struct ProjectsOptions {
  std::string working_directory;  ///< absolute
  Settings command_line;
  std::optional<Settings> instead_of_files;  ///< `--config FILE`: no other file is looked for
  bool isolated = false;                     ///< our own configuration is not looked for
};

/// What the finding counts as by the settings; its own severity where they say nothing.
diagnostics::Severity severity_in(const Settings& settings, const diagnostics::Diagnostic& finding);

/// Finds for each folder the configuration, the target and the root, by going up. Every folder is
/// looked at once. For one thread.
class Projects {
 public:
  Projects(ProjectsOptions options, const knowledge::Knowledge& knowledge);

  /// `folder` is a shown path. After an error the answer is a project that says nothing.
  const Project& of(const std::string& folder);

  /// Whether the `exclude` of the configuration leaves out the shown path or a folder above it.
  bool excludes(const std::string& path);

  /// Whether `per-file-ignores` takes the finding's rule away from its file.
  bool ignores(const diagnostics::Diagnostic& finding);

  /// What the finding counts as; its own severity where nobody says otherwise.
  diagnostics::Severity severity_of(const diagnostics::Diagnostic& finding);

  /// The first thing that was wrong with a configuration.
  const std::optional<Error>& error() const { return error_; }

 private:
  /// What one folder and those above it say.
  struct Folder {
    std::shared_ptr<const Layers> layers;  ///< null for no configuration
    Inferred inferred;
    std::string top;  ///< of the project that the folder belongs to; absolute
    std::optional<std::string> root;
    bool in_repository = false;
    std::optional<Project> project;
  };

  Folder& folder_at(const std::string& absolute);
  Folder look_at(const std::string& absolute, const Folder* parent);
  void read_own_settings(const std::string& file, const Result<std::string>& text, Folder& folder);
  Inferred infer(const std::string& absolute, std::vector<std::string> names,
                 const std::string& top, const Result<std::string>& pyproject) const;
  void make_project(const std::string& absolute, Folder& folder);
  const Folder& project_folder(const std::string& folder);
  std::string absolute_of(const std::string& shown) const;
  std::string shown_of(const std::string& absolute) const;
  void check_words(const Layers& layers);
  void note_error(const Error& error);

  ProjectsOptions options_;
  const knowledge::Knowledge& knowledge_;
  std::map<std::string, Folder> folders_;
  std::shared_ptr<const Layers> instead_of_files_;
  std::map<std::string, std::vector<std::string>> ignored_;  ///< by file, where there are any
  std::optional<Error> error_;
};

}  // namespace vramlint::config
