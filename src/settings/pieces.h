// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "knowledge/allocator_rows.h"
#include "text/span.h"

namespace vramlint::settings {

/// One option of a string as its author meant it: `key:value`, whatever marks were used. Spans are
/// trimmed; an empty one means that the part is missing.
struct Piece {
  text::Span joint;   ///< the mark between this option and the one before; empty for the first
  text::Span around;  ///< from joint to joint, with the whitespace
  text::Span whole;
  text::Span key;  ///< the whole option when there is no separator
  text::Span separator;
  text::Span value;
};

/// Cuts at commas outside lists, and at any other mark or whitespace that is followed by the name
/// of a key, since that is how options get parted by mistake. Hostile strings are cut short.
std::vector<Piece> split_pieces(std::string_view string,
                                std::span<const knowledge::AllocatorKeyRow> keys);

/// The row of a name or alias in any release; null when there is none.
const knowledge::AllocatorKeyRow* find_key_of_any_release(
    std::span<const knowledge::AllocatorKeyRow> keys, std::string_view name);

std::string_view slice(std::string_view string, text::Span span);
/// The span without whitespace at its ends.
text::Span trimmed(std::string_view string, text::Span span);

}  // namespace vramlint::settings
