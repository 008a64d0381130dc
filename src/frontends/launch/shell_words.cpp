// SPDX-License-Identifier: MIT
//
// Quotes, escapes and expansions, as POSIX and bash have them. No expansion is made: what comes of
// a word is for the replay to say. `{{ … }}` and `${{ … }}` of templates are unknown text.
#include "frontends/launch/shell_words.h"

namespace vramlint::frontends {

using model::LaunchPart;
using model::LaunchWord;

bool is_name_byte(char byte) {
  return byte == '_' || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z');
}

namespace {

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

bool ends_word(char byte) {
  constexpr std::string_view ends = " \t\r\n;&|()<>";
  return ends.find(byte) != std::string_view::npos;
}

size_t name_end(std::string_view bytes, size_t at) {
  while (at < bytes.size() && is_name_byte(bytes[at])) ++at;
  return at;
}

}  // namespace

void ShellWords::skip_blanks() {
  while (!ended()) {
    if (peek() == ' ' || peek() == '\t' || (peek() == '\r' && peek(1) == '\n')) {
      ++at_;
    } else if (sees("\\\n")) {
      at_ += 2;
    } else if (sees("\\\r\n")) {
      at_ += 3;
    } else {
      return;
    }
  }
}

void ShellWords::skip_line() { at_ = std::min(bytes_.find('\n', at_), bytes_.size()); }

void ShellWords::add(LaunchWord& word, size_t from, size_t to) {
  if (from >= to) return;
  const bool goes_on = !word.parts.empty() && word.parts.back().kind == LaunchPart::Kind::text;
  if (!goes_on) word.parts.emplace_back();
  word.parts.back().text += bytes_.substr(from, to - from);
  for (size_t i = from; i < to; ++i) {
    const uint32_t origin = text_.origin(i);
    const bool joins = !word.origins.empty() &&
                       origin - word.origins.back().second == decoded_ - word.origins.back().first;
    if (!joins) word.origins.emplace_back(decoded_, origin);
    ++decoded_;
  }
}

void ShellWords::add_unknown(LaunchWord& word) {
  LaunchPart part;
  part.kind = LaunchPart::Kind::unknown;
  word.parts.push_back(std::move(part));
}

LaunchWord ShellWords::read() {
  LaunchWord word;
  decoded_ = 0;
  const size_t begin = at_;
  while (!ended() && !ends_word(peek())) {
    switch (peek()) {
      case '\\':
        if (sees("\\\n") || sees("\\\r\n")) {
          at_ += peek(1) == '\n' ? 2 : 3;
        } else {
          ++at_;
          if (!ended()) add_byte(word);
        }
        break;
      case '\'': read_single(word); break;
      case '"': read_double(word); break;
      case '$': read_dollar(word); break;
      case '`':
        skip_backticks();
        add_unknown(word);
        break;
      case '{':
        if (sees("{{")) {
          read_template(word);
        } else {
          add_byte(word);
        }
        break;
      default: add_byte(word);
    }
  }
  word.span = text_.span(begin, at_);
  word.inner = MappedText::span_in(word.origins, 0, decoded_);
  if (decoded_ == 0) word.inner = word.span;
  return word;
}

void ShellWords::read_single(LaunchWord& word) {
  const size_t end = std::min(bytes_.find('\'', at_ + 1), bytes_.size());
  word.quoted = true;
  add(word, at_ + 1, end);
  at_ = std::min(end + 1, bytes_.size());
}

void ShellWords::read_double(LaunchWord& word) {
  word.quoted = true;
  ++at_;
  while (!ended() && peek() != '"') {
    if (peek() == '\\') {
      constexpr std::string_view escaped = "\"\\$`";
      const bool is_escape = escaped.find(peek(1)) != std::string_view::npos;
      if (peek(1) == '\n') {
        at_ += 2;
        continue;
      }
      if (is_escape) ++at_;
      if (!ended()) add_byte(word);
    } else if (peek() == '$') {
      read_dollar(word);
    } else if (peek() == '`') {
      skip_backticks();
      add_unknown(word);
    } else if (sees("{{")) {
      read_template(word);
    } else {
      add_byte(word);
    }
  }
  if (!ended()) ++at_;
}

/// `$'a\tb'`: the escapes but those of quotes are left as they are.
void ShellWords::read_ansi(LaunchWord& word) {
  word.quoted = true;
  at_ += 2;
  while (!ended() && peek() != '\'') {
    if (peek() == '\\' && (peek(1) == '\'' || peek(1) == '\\')) ++at_;
    add_byte(word);
  }
  if (!ended()) ++at_;
}

void ShellWords::read_template(LaunchWord& word) {
  const size_t end = bytes_.find("}}", at_);
  at_ = end == std::string_view::npos ? bytes_.size() : end + 2;
  add_unknown(word);
}

void ShellWords::read_dollar(LaunchWord& word) {
  if (sees("$'")) return read_ansi(word);
  if (sees("$\"")) {
    ++at_;
    return read_double(word);
  }
  if (sees("${{")) {
    at_ += 1;
    return read_template(word);
  }
  if (sees("$(")) {
    ++at_;
    skip_balanced('(', ')');
    return add_unknown(word);
  }
  if (sees("${")) return read_braced(word);
  const char next = peek(1);
  if (is_name_byte(next) && !is_digit(next)) {
    const size_t end = name_end(bytes_, at_ + 1);
    LaunchPart part;
    part.kind = LaunchPart::Kind::variable;
    part.text = bytes_.substr(at_ + 1, end - at_ - 1);
    word.parts.push_back(std::move(part));
    at_ = end;
    return;
  }
  constexpr std::string_view special = "@*#?-$!0123456789";
  if (next != '\0' && special.find(next) != std::string_view::npos) {
    at_ += 2;
    return add_unknown(word);
  }
  add_byte(word);
}

/// `${NAME}`, `${NAME:-preset}`; anything else in the braces is unknown.
void ShellWords::read_braced(LaunchWord& word) {
  const size_t open = at_ + 1;
  ++at_;
  skip_balanced('{', '}');
  const size_t end = at_ > open + 1 && bytes_[at_ - 1] == '}' ? at_ - 1 : at_;
  const size_t name = name_end(bytes_, open + 1);
  LaunchPart part;
  part.kind = LaunchPart::Kind::variable;
  part.text = bytes_.substr(open + 1, name - open - 1);
  std::string_view rest = bytes_.substr(name, end - name);
  const bool with_colon = rest.starts_with(':');
  if (with_colon) rest.remove_prefix(1);
  if (part.text.empty() || is_digit(part.text.front())) return add_unknown(word);
  if (rest.starts_with('-') || rest.starts_with('=')) {
    rest.remove_prefix(1);
    const bool is_text = rest.find_first_of("$`'\"\\{") == std::string_view::npos;
    const bool quoted = rest.size() >= 2 && (rest.front() == '"' || rest.front() == '\'') &&
                        rest.back() == rest.front();
    if (quoted) rest = rest.substr(1, rest.size() - 2);
    part.has_preset =
        is_text || (quoted && rest.find_first_of("$`\\\"'") == std::string_view::npos);
    part.preset = rest;
    const auto begin = static_cast<size_t>(rest.data() - bytes_.data());
    part.preset_span = text_.span(begin, begin + rest.size());
    if (!part.has_preset) part.kind = LaunchPart::Kind::unknown;
  } else if (!rest.empty() || with_colon) {
    part.kind = LaunchPart::Kind::unknown;
  }
  word.parts.push_back(std::move(part));
}

void ShellWords::skip_backticks() {
  ++at_;
  while (!ended() && peek() != '`') at_ += peek() == '\\' ? 2 : 1;
  at_ = std::min(at_ + 1, bytes_.size());
}

void ShellWords::skip_quoted(char quote) {
  ++at_;
  while (!ended() && peek() != quote) at_ += peek() == '\\' && quote == '"' ? 2 : 1;
  at_ = std::min(at_ + 1, bytes_.size());
}

void ShellWords::skip_balanced(char open, char close) {
  size_t depth = 0;
  while (!ended()) {
    const char byte = peek();
    if (byte == '\\') {
      at_ = std::min(at_ + 2, bytes_.size());
      continue;
    }
    if (byte == '"' || byte == '\'') {
      skip_quoted(byte);
      continue;
    }
    ++at_;
    if (byte == open) ++depth;
    if (byte == close && --depth == 0) return;
  }
}

}  // namespace vramlint::frontends
