// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "cli/console.h"
#include "config/settings.h"
#include "diagnostics/baseline.h"
#include "lint/collect.h"

namespace vramlint::cli {

/// What the command line asks of a baseline besides reading it.
struct BaselineChoice {
  bool write = false;
  bool prune = false;
  std::string write_to;  ///< `--write-baseline=FILE`

  bool is_asked() const { return write || prune; }
};

/// The baseline of a run, from `--baseline`, `--write-baseline=FILE` or the configuration.
class BaselineFile {
 public:
  /// Fails for a file that is no baseline, and for one that is missing unless it is to be written.
  static Result<BaselineFile> open(const BaselineChoice& choice, const config::Settings& settings,
                                   const std::string& working_directory);

  /// Null when there is none to go by.
  const diagnostics::Baseline* baseline() const { return text_ ? &baseline_ : nullptr; }
  /// The absolute folder that its files count from.
  const std::string& folder() const { return folder_; }

  /// Writes what was found, and keeps what the run did not look for.
  Exit write(const lint::Collected& collected, const Console& console);

  /// Whether `settle` is going to refuse the baseline, as it is to be up to date.
  bool refuses(const lint::Collected& collected) const;

  /// Says what in the baseline is out of date, or takes it out. `findings` when it must not be.
  Exit settle(const lint::Collected& collected, const Console& console);

 private:
  bool replace(const diagnostics::Baseline& made, const Console& console);

  BaselineChoice choice_;
  bool strict_ = false;
  std::string path_;    ///< absolute; empty for none
  std::string shown_;   ///< the same for people
  std::string folder_;  ///< absolute
  std::optional<std::string> text_;
  diagnostics::Baseline baseline_;
};

}  // namespace vramlint::cli
