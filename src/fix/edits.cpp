// SPDX-License-Identifier: MIT
#include "fix/edits.h"

#include <algorithm>

#include "text/utf8.h"

namespace vramlint::fix {

namespace {

using diagnostics::Edit;

/// An insertion at the very beginning comes after the mark, which has to stay the first bytes.
text::Span after_mark(text::Span span, std::string_view bytes) {
  const auto mark = static_cast<uint32_t>(text::byte_order_mark.size());
  if (!bytes.starts_with(text::byte_order_mark) || span.begin >= mark) return span;
  return {mark, std::max(span.end, mark)};
}

/// The line end that begins there; empty when none does.
std::string_view line_end_at(std::string_view bytes, std::size_t at) {
  if (at >= bytes.size()) return {};
  return bytes.substr(at, bytes.substr(at).starts_with("\r\n") ? 2 : 1);
}

}  // namespace

bool conflict(const Edit& left, const Edit& right) {
  const bool inserts = left.span.size() == 0 || right.span.size() == 0;
  if (inserts) return left.span.begin <= right.span.end && right.span.begin <= left.span.end;
  return left.span.begin < right.span.end && right.span.begin < left.span.end;
}

bool FileEdits::fits(const Edit& edit) const {
  const auto next = std::ranges::lower_bound(edits_, edit.span, {}, &Edit::span);
  const bool before = next == edits_.begin() || !conflict(*(next - 1), edit);
  const bool after = next == edits_.end() || !conflict(*next, edit);
  return before && after;
}

bool FileEdits::add(const Edit& edit) {
  if (!fits(edit)) return false;
  edits_.insert(std::ranges::lower_bound(edits_, edit.span, {}, &Edit::span), edit);
  return true;
}

std::string FileEdits::made_of(std::string_view bytes) const {
  std::string made;
  std::size_t at = 0;
  for (const Edit& edit : edits_) {
    const text::Span span = after_mark(edit.span, bytes);
    made += bytes.substr(at, span.begin - at);
    made += with_line_ends_of(bytes, span.begin, edit.text);
    at = span.end;
  }
  return made += bytes.substr(at);
}

uint32_t FileEdits::moved(uint32_t offset, std::string_view bytes) const {
  uint32_t shift = 0;  // wraps round where text gets shorter, and comes out right
  for (const Edit& edit : edits_) {
    const text::Span span = after_mark(edit.span, bytes);
    if (offset < span.begin || (offset == span.begin && span.size() > 0)) break;
    if (offset < span.end) return span.begin + shift;
    shift += static_cast<uint32_t>(with_line_ends_of(bytes, span.begin, edit.text).size());
    shift -= span.size();
  }
  return offset + shift;
}

std::string with_line_ends_of(std::string_view bytes, uint32_t at, std::string_view text) {
  if (text.find('\n') == std::string_view::npos) return std::string(text);
  std::string_view line_end;
  const std::size_t before = at == 0 ? std::string_view::npos : bytes.find_last_of("\r\n", at - 1);
  if (before == std::string_view::npos) {
    line_end = line_end_at(bytes, bytes.find_first_of("\r\n", at));
  } else {
    const bool is_pair = bytes[before] == '\n' && before > 0 && bytes[before - 1] == '\r';
    line_end = line_end_at(bytes, is_pair ? before - 1 : before);
  }
  if (line_end.empty()) line_end = "\n";
  std::string made;
  for (const char byte : text) {
    if (byte == '\n') {
      made += line_end;
    } else if (byte != '\r') {
      made += byte;
    }
  }
  return made;
}

}  // namespace vramlint::fix
