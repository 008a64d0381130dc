// SPDX-License-Identifier: MIT
#include "text/utf8.h"

namespace vramlint::text {

namespace {

std::size_t length_of(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const unsigned char lead = static_cast<unsigned char>(text.front());
  const std::size_t length = length_of(lead);
  if (length == 0 || length > text.size()) return {};
  char32_t value = length == 1 ? lead : lead & (0x7f >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned char byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return {};
    value = value << 6 | (byte & 0x3f);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xd800 && value < 0xe000;
  if (overlong || surrogate || value > 0x10ffff) return {};
  return {value, length, true};
}

std::string valid_utf8(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    made += point.valid ? text.substr(0, point.bytes) : replacement_character;
    text.remove_prefix(point.bytes);
  }
  return made;
}

}  // namespace vramlint::text
