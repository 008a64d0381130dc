// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analyze.h"
#include "cli/disk_files.h"
#include "cli/progress.h"
#include "config/projects.h"
#include "diagnostics/suppressions.h"

namespace vramlint::cli {

/// What one entry gave.
struct Linted {
  std::vector<diagnostics::Diagnostic> diagnostics;
  std::vector<diagnostics::FileError> errors;
  bool may_hold_suppressions = false;  ///< its text names us: read it even without findings
};

/// One file to lint, and what was decided for it before.
struct LintJob {
  std::string path;
  const config::Project* project = nullptr;
  const rules::Interest* interest = nullptr;
};

/// Whether the error says that a file was read, and is no text.
bool is_about_bytes(const diagnostics::FileError& error);

/// Runs the jobs on `workers` threads, each with a workspace of its own. The answers are in the
/// order of the jobs; each depends on its job alone, so that their number of threads can't be seen
/// in them. `progress` is told of each that is done.
std::vector<Linted> lint(const std::vector<LintJob>& jobs, const knowledge::Knowledge& knowledge,
                         DiskFiles& files, unsigned workers, Progress* progress = nullptr);

}  // namespace vramlint::cli
