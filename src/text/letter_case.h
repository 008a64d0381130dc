// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

// Letters of ASCII in either case, whatever the locale: words of Docker, Windows and YAML, and
// names of variables.

namespace vramlint::text {

inline char lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

inline char upper(char byte) {
  return byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 'a' + 'A') : byte;
}

inline std::string lower(std::string_view text) {
  std::string made(text);
  for (char& byte : made) byte = lower(byte);
  return made;
}

inline std::string upper(std::string_view text) {
  std::string made(text);
  for (char& byte : made) byte = upper(byte);
  return made;
}

/// Whether they differ in case alone, if at all.
inline bool is_same_but_for_case(std::string_view text, std::string_view other) {
  return std::ranges::equal(text, other,
                            [](char one, char two) { return lower(one) == lower(two); });
}

}  // namespace vramlint::text
