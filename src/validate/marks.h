// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "knowledge/machine_rows.h"

namespace vramlint::validate {

/// How many lines of each sign a program wrote.
struct Signs {
  uint64_t warnings = 0;
  uint64_t tracebacks = 0;
  uint64_t out_of_memory = 0;
};

/// Whether a line begins as a mark of `rules/knowledge/output_marks.toml` says.
bool begins_as(std::string_view line, std::string_view mark);

/// Each line counts once for a sign, however many marks it has. A progress bar that goes back to
/// the beginning of its line begins a new one.
Signs signs_in(std::string_view text, std::span<const knowledge::OutputMarkRow> marks);

}  // namespace vramlint::validate
