// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "prefilter/words.h"
#include "text/span.h"

// Small steps over the bytes of lines, for those who read the magics of a notebook.

namespace vramlint::frontends {

inline bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

using prefilter::is_word_byte;

inline bool is_blank(char byte) { return byte == ' ' || byte == '\t' || byte == '\f'; }
inline bool ends_line(char byte) { return byte == '\n' || byte == '\r'; }

inline std::size_t after_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

inline std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find_first_of("\r\n", at), text.size());
}

inline std::size_t after_line_end(std::string_view text, std::size_t at) {
  if (at >= text.size()) return at;
  return at + (text.substr(at).starts_with("\r\n") ? 2 : 1);
}

inline std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word_byte(text[end])) ++end;
  return text.substr(at, end - at);
}

inline text::Span span_of(std::size_t begin, std::size_t end) {
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

inline std::string_view part(std::string_view text, text::Span span) {
  return text.substr(span.begin, span.size());
}

/// Without the blanks at its ends.
inline text::Span trimmed(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin < end && (is_blank(text[begin]) || ends_line(text[begin]))) ++begin;
  while (end > begin && (is_blank(text[end - 1]) || ends_line(text[end - 1]))) --end;
  return span_of(begin, end);
}

/// A magic goes on behind a backslash at the end of its line.
inline std::size_t magic_end(std::string_view text, std::size_t begin) {
  std::size_t end = line_end(text, begin);
  while (end < text.size() && end > begin && text[end - 1] == '\\') {
    end = line_end(text, after_line_end(text, end));
  }
  return end;
}

}  // namespace vramlint::frontends
