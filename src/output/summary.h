// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "output/format.h"

namespace vramlint::output {

// The lines that the formats for people have in common.

/// `cell 3:` in front of a line of a notebook; nothing for another file.
std::string cell_text(std::optional<int> cell);

/// `train.py:14:1: error[VRL101] allocator-setting-too-late: message` with its line end.
std::string headline(const diagnostics::Diagnostic& finding, Style style);

/// `Found 2 errors, 1 warning in 12 files.` or `All checks passed.`, with its line end. Nothing
/// when no file was linted.
std::string summary(const Report& report, Style style);

}  // namespace vramlint::output
