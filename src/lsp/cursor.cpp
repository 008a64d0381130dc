// SPDX-License-Identifier: MIT
#include "lsp/cursor.h"

#include <algorithm>
#include <vector>

#include "prefilter/imports.h"

namespace vramlint::lsp {

namespace {

constexpr uint32_t looked_back = 400;
constexpr std::string_view blanks = " \t\r\n\\";
constexpr std::string_view string_letters = "rRbBuUfF";

bool is_word(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_';
}

std::string_view without_end(std::string_view text, std::string_view letters) {
  return text.substr(0, text.find_last_not_of(letters) + 1);
}

/// The word that a text ends with.
std::string_view last_word(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return text.substr(begin);
}

/// Goes over a line of Python up to the place: the string or comment that it is in.
void read_line(Cursor& cursor) {
  const std::string_view bytes = cursor.source.slice(cursor.line);
  const uint32_t at = cursor.offset - cursor.line.begin;
  char quote = '\0';
  uint32_t begin = 0;
  for (uint32_t i = 0; i < bytes.size(); ++i) {
    const char byte = bytes[i];
    if (quote == '\0' && i >= at) return;
    if (quote == '\0') {
      if (byte == '#') {
        cursor.in_comment = true;
        return;
      }
      if (byte == '"' || byte == '\'') {
        quote = byte;
        begin = i + 1;
      }
    } else if (byte == '\\') {
      ++i;
    } else if (byte == quote) {
      quote = '\0';
      if (i < at) continue;
      cursor.string = {cursor.line.begin + begin, cursor.line.begin + i};
      return;
    }
  }
  if (quote != '\0') cursor.string = {cursor.line.begin + begin, cursor.line.end};
}

bool holds_allocator_string(std::string_view variable, const knowledge::Knowledge& knowledge) {
  const knowledge::VariableRow* row = knowledge.variable(variable);
  return row != nullptr && row->allocator_string;
}

/// Whether a function of this name takes an allocator string first.
bool takes_allocator_string(std::string_view function, const knowledge::Knowledge& knowledge) {
  return std::ranges::any_of(knowledge.calls(), [&](const knowledge::CallRow& row) {
    if (row.allocator_string_position != 0) return false;
    return std::ranges::any_of(row.names, [&](std::string_view name) {
      return name.substr(name.rfind('.') + 1) == function;
    });
  });
}

/// `NAME=VALUE` or `NAME: VALUE` in the line, whatever language it is in: the value that the place
/// is in.
std::optional<text::Span> assignment_at(const Cursor& cursor, text::Span around,
                                        const knowledge::Knowledge& knowledge) {
  const std::string_view bytes = cursor.source.slice(around);
  for (const knowledge::VariableRow& row : knowledge.variables()) {
    if (!row.allocator_string) continue;
    const std::size_t found = bytes.rfind(row.name, cursor.offset - around.begin);
    if (found == std::string_view::npos || (found > 0 && is_word(bytes[found - 1]))) continue;
    std::size_t begin = found + row.name.size();
    const std::size_t mark = begin;
    while (begin < bytes.size() &&
           std::string_view("=: \t").find(bytes[begin]) != std::string::npos)
      ++begin;
    if (begin == mark) continue;
    char quote = '\0';
    if (begin < bytes.size() && (bytes[begin] == '"' || bytes[begin] == '\'')) {
      quote = bytes[begin++];
    }
    const std::string_view ends = quote == '"' ? "\"" : quote == '\'' ? "'" : " \t\r\n\"';";
    const std::size_t end = std::min(bytes.find_first_of(ends, begin), bytes.size());
    const text::Span value{around.begin + static_cast<uint32_t>(begin),
                           around.begin + static_cast<uint32_t>(end)};
    if (value.begin <= cursor.offset && cursor.offset <= value.end) return value;
  }
  return std::nullopt;
}

}  // namespace

Cursor cursor_at(const text::Source& source, uint32_t offset) {
  offset = std::min(offset, static_cast<uint32_t>(source.bytes().size()));
  const uint32_t line = source.position_of(offset).line;
  const uint32_t begin = source.line_begin(line);
  const text::Span span{begin, begin + static_cast<uint32_t>(source.line(line).size())};
  Cursor cursor{source, offset, span, false, std::nullopt};
  cursor.offset = std::min(offset, cursor.line.end);
  if (source.language() == text::Language::python) read_line(cursor);
  return cursor;
}

text::Span word_at(const Cursor& cursor, bool with_dashes) {
  const std::string_view bytes = cursor.source.bytes();
  const auto belongs = [&](char byte) { return is_word(byte) || (with_dashes && byte == '-'); };
  text::Span word{cursor.offset, cursor.offset};
  while (word.begin > cursor.line.begin && belongs(bytes[word.begin - 1])) --word.begin;
  while (word.end < cursor.line.end && belongs(bytes[word.end])) ++word.end;
  return word;
}

std::string dotted_name_at(const Cursor& cursor) {
  if (cursor.in_comment || cursor.string) return {};
  const std::string_view bytes = cursor.source.bytes();
  text::Span name = word_at(cursor);
  if (name.size() == 0) return {};
  while (name.begin > cursor.line.begin + 1 && bytes[name.begin - 1] == '.' &&
         is_word(bytes[name.begin - 2])) {
    --name.begin;
    while (name.begin > cursor.line.begin && is_word(bytes[name.begin - 1])) --name.begin;
  }
  const std::string_view written = cursor.source.slice(name);
  const std::string_view head = written.substr(0, written.find('.'));
  const std::string rest(written.substr(head.size()));
  for (const prefilter::NamedImport& import : prefilter::named_imports(bytes)) {
    if (import.level > 0 || import.bound != head) continue;
    if (!import.name.empty())
      return std::string(import.module) + "." + std::string(import.name) + rest;
    // `import a.b` binds `a`, `import a.b as c` binds `c`.
    const bool is_alias = head != import.module.substr(0, import.module.find('.'));
    return (is_alias ? std::string(import.module) : std::string(head)) + rest;
  }
  return std::string(written);
}

std::string_view text_before(const Cursor& cursor, text::Span string) {
  const uint32_t from = string.begin > looked_back ? string.begin - looked_back : 0;
  std::string_view text = cursor.source.slice({from, string.begin});
  // Its own quotes, and the letters in front of them.
  text = without_end(text, "\"'");
  std::size_t letters = 0;
  while (letters < 2 && letters < text.size() &&
         string_letters.find(text[text.size() - 1 - letters]) != std::string_view::npos) {
    ++letters;
  }
  const bool is_word_end = letters < text.size() && is_word(text[text.size() - 1 - letters]);
  if (!is_word_end) text.remove_suffix(letters);
  return without_end(text, blanks);
}

namespace {

/// Less the pieces of the same text that stand in front: `= ("a:1,"` becomes `=`.
std::string_view without_pieces(std::string_view before) {
  while (before.size() > 1 && (before.ends_with('"') || before.ends_with('\''))) {
    const std::size_t open = before.rfind(before.back(), before.size() - 2);
    if (open == std::string_view::npos) return before;
    const std::string_view piece = before.substr(open);
    if (piece.find('\n') != std::string_view::npos) return before;
    before = without_end(before.substr(0, open), " \t\r\n\\");
  }
  if (before.ends_with('(')) {
    const std::string_view around = without_end(before.substr(0, before.size() - 1), blanks);
    if (around.ends_with('=') || around.ends_with(':') || around.ends_with(',')) return around;
  }
  return before;
}

}  // namespace

std::optional<text::Span> allocator_string_at(const Cursor& cursor,
                                              const knowledge::Knowledge& knowledge) {
  if (cursor.in_comment) return std::nullopt;
  if (cursor.source.language() != text::Language::python) {
    return assignment_at(cursor, cursor.line, knowledge);
  }
  if (!cursor.string) return std::nullopt;
  if (std::optional<text::Span> inside = assignment_at(cursor, *cursor.string, knowledge)) {
    return inside;
  }
  const std::string_view before =
      without_pieces(without_end(text_before(cursor, *cursor.string), " \t\r\n\\"));
  const std::string_view called = last_word(without_end(without_end(before, "("), blanks));
  if (before.ends_with('(') && takes_allocator_string(called, knowledge)) {
    return cursor.string;
  }
  const bool has_mark =
      !before.empty() && std::string_view("=:,").find(before.back()) != std::string::npos;
  if (!has_mark) return std::nullopt;
  const std::string_view name = last_word(without_end(before, " \t\r\n\\=:,]\"'"));
  if (!holds_allocator_string(name, knowledge)) return std::nullopt;
  return cursor.string;
}

}  // namespace vramlint::lsp
