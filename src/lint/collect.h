// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/projects.h"
#include "diagnostics/baseline.h"
#include "lint/entry.h"
#include "output/report.h"
#include "text/files.h"

namespace vramlint::lint {

/// What is left out of a run besides what comments and configurations leave out.
struct Narrowing {
  std::string working_directory;
  std::string baseline_folder;  ///< absolute; its files count from here
  const diagnostics::Baseline* baseline = nullptr;
  bool shows_known = false;  ///< the baseline is to be written anew: nothing is left out by it
  /// Whether a finding is of interest; empty when all are.
  std::function<bool(const diagnostics::Diagnostic&)> concerns = {};
};

/// What a run shows, and what decides its exit status and baseline.
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
Collected collect(const std::vector<Job>& jobs, std::vector<Linted> linted,
                  config::Projects& projects, const knowledge::Knowledge& knowledge,
                  text::Files& files, const Narrowing& narrowing);

}  // namespace vramlint::lint
