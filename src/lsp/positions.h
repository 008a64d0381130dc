// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

#include "text/source.h"
#include "text/span.h"

// Places as editors count them: lines and characters from 0, characters in the units that client
// and server have agreed on.

namespace vramlint::lsp {

/// What a character counts.
enum class Encoding : uint8_t { utf8, utf16, utf32 };

/// As the protocol calls it, and the other way round.
std::string_view name_of(Encoding encoding);
std::optional<Encoding> parse_encoding(std::string_view name);

/// A place between two characters.
struct Position {
  uint32_t line = 0;
  uint32_t character = 0;

  auto operator<=>(const Position&) const = default;
};

/// From a place to another, which is not part of it.
struct Range {
  Position start;
  Position end;

  bool operator==(const Range&) const = default;
};

/// A byte past the end counts as the end, one inside of a character as that character.
Position position_at(const text::Source& source, uint32_t offset, Encoding encoding);
Range range_of(const text::Source& source, text::Span span, Encoding encoding);

/// A character past the end of its line is the line's end, a line past the last the end of the
/// text; half a character is its beginning.
uint32_t offset_at(const text::Source& source, Position position, Encoding encoding);
/// One that is turned round is turned back, as editors do.
text::Span span_at(const text::Source& source, Range range, Encoding encoding);

}  // namespace vramlint::lsp
