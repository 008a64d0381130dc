// SPDX-License-Identifier: MIT
#pragma once

namespace vramlint::text {

/// A byte that a name may hold: a letter, a digit, `_`, or a part of a letter outside ASCII.
inline bool is_name_byte(char byte) {
  return byte == '_' || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || static_cast<unsigned char>(byte) >= 0x80;
}

}  // namespace vramlint::text
