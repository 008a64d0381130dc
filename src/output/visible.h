// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vramlint::output {

/// One code point of a text as a terminal shows it.
struct Glyph {
  std::string text;       ///< valid UTF-8 without control characters
  int width = 1;          ///< cells that it takes
  std::size_t bytes = 1;  ///< that it was made of
};

/// The glyph that the text begins with, given the cell that it stands in: a tab goes to the next
/// multiple of four. Control characters become their pictures, bytes that are no UTF-8 U+FFFD: no
/// source may steer a terminal. `text` is not empty.
Glyph next_glyph(std::string_view text, int cell);

/// The whole text like that, for names and messages.
std::string visible(std::string_view text);

}  // namespace vramlint::output
