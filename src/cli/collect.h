// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/changed_lines.h"
#include "cli/lint.h"
#include "diagnostics/baseline.h"
#include "output/report.h"

namespace vramlint::cli {

/// What is left out of a run besides what comments and configurations leave out.
struct Narrowing {
  std::string working_directory;
  std::string baseline_folder;  ///< absolute; its files count from here
  const diagnostics::Baseline* baseline = nullptr;
  bool shows_known = false;  ///< the baseline is to be written anew: nothing is left out by it
  const ChangedLines* changed = nullptr;
};

struct Collected {
  output::Report report;
  /// The gravest finding that is selected and not left out, shown or not; nothing when there is
  /// none.
  std::optional<diagnostics::Severity> gravest;
  std::vector<diagnostics::KnownFinding> known;  ///< as a baseline knows those in the report
  diagnostics::BaselineMatch match;
};

/// From what each entry gave to what is shown: one list, without what comments silence, what is not
/// selected, what stands in excluded files, and what is below the level. `files` has every text in
/// its cache.
Collected collect(const std::vector<LintJob>& jobs, std::vector<Linted> linted,
                  config::Projects& projects, const knowledge::Knowledge& knowledge,
                  DiskFiles& files, const Narrowing& narrowing);

}  // namespace vramlint::cli
