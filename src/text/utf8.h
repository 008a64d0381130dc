// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vramlint::text {

/// One code point of UTF-8, or a byte that belongs to none.
struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

/// What some editors write in front of a text to say that it is UTF-8.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// U+FFFD, which stands for what can't be read.
inline constexpr std::string_view replacement_character = "\xef\xbf\xbd";

/// What the text, which is not empty, begins with.
CodePoint first_code_point(std::string_view text);

/// The text with U+FFFD for each byte that belongs to no code point.
std::string valid_utf8(std::string_view text);

}  // namespace vramlint::text
