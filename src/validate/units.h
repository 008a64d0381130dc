// SPDX-License-Identifier: MIT
// How numbers and endings are written for people.
#pragma once

#include <string>
#include <string_view>

#include "knowledge/criterion_rows.h"
#include "validate/process.h"

namespace vramlint::validate {

/// What programs and users wrote, for a terminal and for a page: UTF-8 without control characters,
/// its lines kept.
std::string readable(std::string_view text);
/// `12.30 GiB` from 10 GiB on, below `9216 MiB` and `4 KiB`.
std::string bytes_text(double bytes);
/// `62.0 ms`, `4.31 s`.
std::string seconds_text(double seconds);
/// `exit status 0`, `killed by signal 9`, `stopped at the time limit`, `not started: reason`.
std::string ending_text(const Ended& ended);
/// Why a program was not started, in the system's words; empty for one that was.
std::string problem_text(const Ended& ended);
/// A criterion's number as people read it.
std::string value_text(knowledge::Measure measure, double value);

}  // namespace vramlint::validate
