// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "text/source.h"

namespace vramlint::diagnostics {

/// What stays the same of a finding while the lines around it come and go: the text of its first
/// line, each run of blanks as one, none at its ends, cut after 200 bytes, always valid UTF-8.
/// Baselines and fingerprints both know a finding by it.
std::string line_of_finding(const Diagnostic& finding, const text::Source* source);

/// Fills in `fingerprint`: sixteen hexadecimal digits, made from the code, the file, the line's
/// text and how many equal ones came before. Each of the list is different. `lines` has the text of
/// `line_of_finding` for each finding, in the same order.
void set_fingerprints(std::vector<Diagnostic>& findings, const std::vector<std::string>& lines);

}  // namespace vramlint::diagnostics
