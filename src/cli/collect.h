// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/lint.h"
#include "output/report.h"

namespace vramlint::cli {

struct Collected {
  output::Report report;
  /// The gravest finding that is selected, shown or not; nothing when there is none.
  std::optional<diagnostics::Severity> gravest;
};

/// From what each entry gave to what is shown: one list, without what comments silence, what is not
/// selected, what stands in excluded files, and what is below the level. `files` has every text in
/// its cache.
Collected collect(const std::vector<LintJob>& jobs, std::vector<Linted> linted,
                  config::Projects& projects, const knowledge::Knowledge& knowledge,
                  DiskFiles& files);

}  // namespace vramlint::cli
