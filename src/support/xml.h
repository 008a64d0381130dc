// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace vramlint {

/// A text as XML, SVG and HTML want it, in an element and in an attribute's double quotes.
inline std::string xml_escaped(std::string_view text) {
  std::string made;
  for (const char byte : text) {
    switch (byte) {
      case '&': made += "&amp;"; break;
      case '<': made += "&lt;"; break;
      case '>': made += "&gt;"; break;
      case '"': made += "&quot;"; break;
      default: made += byte;
    }
  }
  return made;
}

}  // namespace vramlint
