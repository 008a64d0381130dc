// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze.h"
#include "config/projects.h"
#include "diagnostics/diagnostic.h"
#include "rules/interest.h"

namespace vramlint::lint {

/// Analysis is linear up to far more than this, but nobody writes such a program by hand.
inline constexpr uint64_t max_file_bytes = 32 << 20;

/// One file to lint, and what was decided for it before.
struct Job {
  std::string path;
  const config::Project* project = nullptr;
  const rules::Interest* interest = nullptr;
};

/// What one entry gave.
struct Linted {
  std::vector<diagnostics::Diagnostic> diagnostics;
  std::vector<diagnostics::FileError> errors;
  bool may_hold_suppressions = false;  ///< its text names us: read it even without findings
};

/// How the file is analyzed: for its project's target, from its root, looking for what is of
/// interest.
AnalyzeOptions options_of(const Job& job);

/// The raw findings of one entry. What is no text is an error, not a program.
Linted lint_entry(const Job& job, Workspace& workspace);

}  // namespace vramlint::lint
