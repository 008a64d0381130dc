// SPDX-License-Identifier: MIT
#include "rules/call_text.h"

#include <algorithm>

#include "text/name_bytes.h"

namespace vramlint::rules {

namespace {

bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == '\\';
}

/// The end of the string literal whose quote stands there; the text's end when it is not closed.
size_t after_string(std::string_view text, size_t at) {
  const char quote = text[at];
  const bool triple = at + 2 < text.size() && text[at + 1] == quote && text[at + 2] == quote;
  const size_t width = triple ? 3 : 1;
  for (size_t i = at + width; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote &&
               (!triple || (i + 2 < text.size() && text[i + 1] == quote && text[i + 2] == quote))) {
      return i + width;
    }
  }
  return text.size();
}

/// Goes through a text, strings and comments in one step each.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  /// False at the end of the text, or where brackets do not match.
  bool next() {
    if (at_ >= text_.size() || broken_) return false;
    begin_ = at_;
    const char byte = text_[at_];
    if (byte == '"' || byte == '\'') {
      at_ = after_string(text_, at_);
    } else if (byte == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      ++at_;
      if (byte == '(' || byte == '[' || byte == '{') open_.push_back(begin_);
      if (byte == ')' || byte == ']' || byte == '}') close(byte);
    }
    return !broken_;
  }

  char byte() const { return text_[begin_]; }
  bool is_code() const { return byte() != '"' && byte() != '\'' && byte() != '#'; }
  size_t begin() const { return begin_; }
  size_t end() const { return at_; }
  size_t depth() const { return open_.size(); }
  /// Where the bracket that was just closed had been opened.
  size_t partner() const { return partner_; }
  bool is_whole() const { return !broken_ && open_.empty(); }

 private:
  void close(char byte) {
    const char wanted = byte == ')' ? '(' : (byte == ']' ? '[' : '{');
    broken_ = open_.empty() || text_[open_.back()] != wanted;
    if (broken_) return;
    partner_ = open_.back();
    open_.pop_back();
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t begin_ = 0;
  size_t partner_ = 0;
  std::vector<size_t> open_;
  bool broken_ = false;
};

TextSpan trimmed(std::string_view text, TextSpan span) {
  while (span.begin < span.end && is_blank(text[span.begin])) ++span.begin;
  while (span.begin < span.end && is_blank(text[span.end - 1])) --span.end;
  return span;
}

WrittenArgument argument_in(std::string_view text, TextSpan whole) {
  WrittenArgument made{whole, {}, whole};
  size_t end = whole.begin;
  while (end < whole.end && text::is_name_byte(text[end])) ++end;
  size_t sign = end;
  while (sign < whole.end && is_blank(text[sign])) ++sign;
  const bool is_keyword =
      end > whole.begin && sign + 1 < whole.end && text[sign] == '=' && text[sign + 1] != '=';
  if (!is_keyword) return made;
  made.keyword = text.substr(whole.begin, end - whole.begin);
  made.value = trimmed(text, {sign + 1, whole.end});
  return made;
}

}  // namespace

const WrittenArgument* WrittenCall::argument(std::string_view keyword, int position) const {
  int at = 0;
  for (const WrittenArgument& argument : arguments) {
    const bool fits = argument.keyword.empty() ? at++ == position : argument.keyword == keyword;
    if (fits) return &argument;
  }
  return nullptr;
}

std::optional<WrittenCall> read_call(std::string_view text) {
  if (!text.ends_with(')')) return std::nullopt;
  Walker all(text);
  while (all.next()) {
  }
  if (!all.is_whole() || all.partner() == 0) return std::nullopt;
  WrittenCall call;
  call.callee = {0, all.partner()};
  call.open = all.partner();
  call.close = text.size() - 1;
  const std::string_view inside = text.substr(0, call.close);
  size_t begin = call.open + 1;
  const auto add = [&](size_t end) {
    const TextSpan whole = trimmed(text, {begin, end});
    begin = end + 1;
    if (whole.size() == 0) return;
    // A comment would go where the argument goes.
    call.unpacks = call.unpacks || text[whole.begin] == '*' || text[whole.begin] == '#';
    call.arguments.push_back(argument_in(text, whole));
  };
  Walker walker(inside.substr(call.open + 1));
  while (walker.next()) {
    if (walker.byte() == '#') call.unpacks = true;
    if (walker.depth() == 0 && walker.byte() == ',') add(call.open + 1 + walker.begin());
  }
  if (!walker.is_whole()) return std::nullopt;
  const size_t before = call.arguments.size();
  add(call.close);
  call.trailing_comma = before > 0 && call.arguments.size() == before;
  return call;
}

bool is_primary(std::string_view text) {
  if (text.empty() || !text::is_name_byte(text.front())) return false;
  if (text.front() >= '0' && text.front() <= '9') return false;
  Walker walker(text);
  while (walker.next()) {
    if (walker.depth() > 0 || walker.byte() == ')' || walker.byte() == ']') continue;
    if (!text::is_name_byte(walker.byte()) && walker.byte() != '.') return false;
  }
  return walker.is_whole();
}

std::optional<size_t> only_word(std::string_view text, std::string_view word) {
  std::optional<size_t> found;
  if (word.empty()) return found;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    const bool begins = at == 0 || !text::is_name_byte(text[at - 1]);
    const bool ends = end == text.size() || !text::is_name_byte(text[end]);
    if (!begins || !ends) continue;
    if (found) return std::nullopt;
    found = at;
  }
  return found;
}

std::optional<size_t> assignment_sign(std::string_view text) {
  Walker walker(text);
  char before = ' ';
  while (walker.next()) {
    if (walker.depth() > 0 || !walker.is_code()) continue;
    const bool compares = std::string_view("=!<>:").find(before) != std::string_view::npos;
    const bool doubled = walker.end() < text.size() && text[walker.end()] == '=';
    if (walker.byte() == '=' && !compares && !doubled) return walker.begin();
    before = walker.byte();
  }
  return std::nullopt;
}

}  // namespace vramlint::rules
