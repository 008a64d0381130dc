// SPDX-License-Identifier: MIT
#include "syntax/lines.h"

#include <algorithm>
#include <utility>

#include "text/name_bytes.h"
#include "text/utf8.h"

namespace vramlint::syntax {
namespace {

/// Behind a backslash and what it escapes.
size_t after_escape(std::string_view bytes, size_t at) {
  const bool is_carriage = bytes.substr(at + 1).starts_with("\r\n");
  return std::min(at + (is_carriage ? 3 : 2), bytes.size());
}

}  // namespace

bool is_triple_quote(std::string_view bytes, size_t at) {
  const char quote = bytes[at];
  return at + 2 < bytes.size() && bytes[at + 1] == quote && bytes[at + 2] == quote;
}

TextEnd end_of_text(std::string_view bytes, size_t at) {
  const char quote = bytes[at];
  const bool triple = is_triple_quote(bytes, at);
  at += triple ? 3 : 1;
  while (at < bytes.size()) {
    const char byte = bytes[at];
    if (byte == '\\') {
      at = after_escape(bytes, at);
      continue;
    }
    if (!triple && (byte == '\n' || byte == '\r')) return {at, false};
    if (byte == quote && (!triple || is_triple_quote(bytes, at)))
      return {at + (triple ? 3 : 1), true};
    ++at;
  }
  return {at, false};
}

bool definition_begins(std::string_view bytes, size_t at) {
  const std::string_view rest = bytes.substr(at, 6);
  return rest.starts_with("def ") || rest.starts_with("class ");
}

Lines::Lines(std::string_view bytes, std::string* cleaned) : bytes_(bytes), cleaned_(cleaned) {
  if (bytes_.starts_with(text::byte_order_mark)) at_ = text::byte_order_mark.size();
}

std::string_view Lines::word_at(size_t begin) const {
  size_t end = begin;
  while (end < bytes_.size() && text::is_name_byte(bytes_[end])) ++end;
  return bytes_.substr(begin, end - begin);
}

size_t Lines::skip_blanks(size_t from) const {
  while (from < bytes_.size() && (bytes_[from] == ' ' || bytes_[from] == '\t')) ++from;
  return from;
}

int Lines::take_idle() { return std::exchange(idle_, 0); }

/// Stretch outside strings that means nothing.
void Lines::note_idle(size_t begin) {
  ++idle_;
  if (cleaned_ != nullptr) cleaned_->replace(begin, at_ - begin, at_ - begin, ' ');
}

void Lines::skip_logical_line() {
  int depth = 0;
  while (at_ < bytes_.size()) {
    const char byte = bytes_[at_];
    switch (byte) {
      case '\n':
      case '\r':
        ++at_;
        if (depth == 0) return;
        if (definition_begins(bytes_, at_)) return;
        break;
      case '\\': {
        const size_t begin = at_;
        skip_escape();
        if (bytes_[at_ - 1] == '\n' || bytes_[at_ - 1] == '\r') note_idle(begin);
        break;
      }
      case '#': skip_comment(); break;
      case '"':
      case '\'': at_ = end_of_text(bytes_, at_).at; break;
      case '(':
      case '[':
      case '{':
        ++depth;
        ++at_;
        break;
      case ')':
      case ']':
      case '}':
        if (depth > 0) --depth;
        ++at_;
        break;
      default: ++at_;
    }
  }
}

void Lines::skip_escape() { at_ = after_escape(bytes_, at_); }

void Lines::skip_comment() {
  const size_t begin = at_;
  while (at_ < bytes_.size() && bytes_[at_] != '\n' && bytes_[at_] != '\r') ++at_;
  size_t first = begin;
  while (first > 0 && (bytes_[first - 1] == ' ' || bytes_[first - 1] == '\t')) --first;
  if (first == 0 || bytes_[first - 1] == '\n' || bytes_[first - 1] == '\r') note_idle(begin);
}

}  // namespace vramlint::syntax
