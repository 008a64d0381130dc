// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "text/name_bytes.h"

// Words in a stretch of text, for questions that no tree answers: what stands in a function that is
// not run, in a file as a whole, in a condition.

namespace vramlint::text {

/// Calls `visit` with both ends of each occurrence as a word, until it says yes.
template <typename Visit>
bool any_word(std::string_view text, std::string_view word, const Visit& visit) {
  if (word.empty()) return false;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool begins = at == 0 || !is_name_byte(text[at - 1]);
    const bool ends = end == text.size() || !is_name_byte(text[end]);
    if (begins && ends && visit(at, end)) return true;
  }
  return false;
}

/// Whether the word stands in the text, and not only as a part of a longer one.
inline bool has_word(std::string_view text, std::string_view word) {
  return any_word(text, word, [](size_t, size_t) { return true; });
}

/// Whether one of these stands in the text, as a part of a word perhaps.
inline bool has_any(std::string_view text, std::span<const std::string_view> parts) {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

}  // namespace vramlint::text
