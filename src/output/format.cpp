// SPDX-License-Identifier: MIT
#include "output/format.h"

namespace vramlint::output {

const Format* find_format(std::string_view name) {
  for (const Format& format : all_formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace vramlint::output
