// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace vramlint::validate {

/// A program of `python/`, carried in the binary.
struct PythonFile {
  std::string_view name;
  std::string_view text;
};

std::span<const PythonFile> all_python_files();

/// The text of one of them; empty when there is none of that name.
std::string_view python_text(std::string_view name);

}  // namespace vramlint::validate
