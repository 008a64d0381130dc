// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "diagnostics/diagnostic.h"

namespace vramlint::diagnostics {

/// Makes one list of the findings of many entries, given entry by entry in the order of the
/// entries' paths. A place that several entries run into is shown once: the gravest finding wins,
/// then the one of the first entry. The outcome depends on nothing but the order of the list.
std::vector<Diagnostic> merge_findings(std::vector<std::vector<Diagnostic>> by_entry);

/// Sorted by path and message, each once.
std::vector<FileError> merge_errors(std::vector<FileError> errors);

}  // namespace vramlint::diagnostics
