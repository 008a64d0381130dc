// SPDX-License-Identifier: MIT
#include "validate/python_files.h"

namespace vramlint::validate {

std::string_view python_text(std::string_view name) {
  for (const PythonFile& file : all_python_files()) {
    if (file.name == name) return file.text;
  }
  return {};
}

}  // namespace vramlint::validate
