// SPDX-License-Identifier: MIT
#include "syntax/lines.h"

#include <utility>

#include "text/name_bytes.h"
#include "text/utf8.h"

namespace vramlint::syntax {

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
        if (depth > 0 && definition_follows()) return;
        break;
      case '\\': {
        const size_t begin = at_;
        skip_escape();
        if (bytes_[at_ - 1] == '\n' || bytes_[at_ - 1] == '\r') note_idle(begin);
        break;
      }
      case '#': skip_comment(); break;
      case '"':
      case '\'': skip_string(byte); break;
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

/// A definition in column 0 can't stand inside brackets: they were never closed.
bool Lines::definition_follows() const {
  const std::string_view rest = bytes_.substr(at_, 6);
  return rest.starts_with("def ") || rest.starts_with("class ");
}

void Lines::skip_escape() {
  at_ += 1;
  if (at_ >= bytes_.size()) return;
  const bool carriage = bytes_[at_] == '\r';
  at_ += 1;
  if (carriage && at_ < bytes_.size() && bytes_[at_] == '\n') ++at_;
}

void Lines::skip_comment() {
  const size_t begin = at_;
  while (at_ < bytes_.size() && bytes_[at_] != '\n' && bytes_[at_] != '\r') ++at_;
  size_t first = begin;
  while (first > 0 && (bytes_[first - 1] == ' ' || bytes_[first - 1] == '\t')) --first;
  if (first == 0 || bytes_[first - 1] == '\n' || bytes_[first - 1] == '\r') note_idle(begin);
}

bool Lines::closes_triple(char quote) const {
  return at_ + 2 < bytes_.size() && bytes_[at_ + 1] == quote && bytes_[at_ + 2] == quote;
}

void Lines::skip_string(char quote) {
  const bool triple = closes_triple(quote);
  at_ += triple ? 3 : 1;
  while (at_ < bytes_.size()) {
    const char byte = bytes_[at_];
    if (byte == '\\') {
      skip_escape();
      continue;
    }
    if (!triple && (byte == '\n' || byte == '\r')) return;  // unterminated: ends with its line
    if (byte == quote && (!triple || closes_triple(quote))) {
      at_ += triple ? 3 : 1;
      return;
    }
    ++at_;
  }
}

}  // namespace vramlint::syntax
