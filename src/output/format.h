// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "output/report.h"

namespace vramlint::output {

struct Style {
  bool color = false;  ///< terminal escapes; formats for machines ignore it
};

/// A way to write a report. `formats/github.cpp` defines `write_github`, and that is how the format
/// comes into being: the build makes the table from the folder.
struct Format {
  std::string_view name;
  std::string (*write)(const Report& report, Style style);
};

/// By name, in the order of the alphabet.
std::span<const Format> all_formats();

/// Null for a name that is none.
const Format* find_format(std::string_view name);

}  // namespace vramlint::output
