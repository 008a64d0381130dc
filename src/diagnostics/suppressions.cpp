// SPDX-License-Identifier: MIT
// Reading directives and matching them with findings; what is done about the ones that silence
// nothing, or everything, is in `unused_suppressions.cpp`. Knows comments, never code: the lines
// that a finding covers are all that ties it to a directive.
#include "diagnostics/suppressions.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace vramlint::diagnostics {

namespace {

constexpr std::string_view our_word = "vramlint:";

// Each finding is held against each of these; what is beyond was written by no person.
constexpr std::size_t max_in_comment = 16;
constexpr std::size_t max_words = 200;
constexpr std::size_t max_on_file = 500;

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

bool is_word_byte(char byte) {
  const unsigned char letter = static_cast<unsigned char>(byte);
  return std::isalnum(letter) != 0 || byte == '-' || byte == '_' || letter >= 0x80;
}

std::size_t word_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_word_byte(text[at])) ++at;
  return at;
}

bool starts_with_ignoring_case(std::string_view text, std::string_view lower_word) {
  if (text.size() < lower_word.size()) return false;
  return std::equal(lower_word.begin(), lower_word.end(), text.begin(), [](char want, char got) {
    return want == std::tolower(static_cast<unsigned char>(got));
  });
}

/// `E501`, `VRL101`: letters, then digits.
bool looks_like_code(std::string_view word) {
  const auto is_letter = [](char byte) { return std::isalpha(static_cast<unsigned char>(byte)); };
  const auto is_digit = [](char byte) { return std::isdigit(static_cast<unsigned char>(byte)); };
  const auto digits = std::find_if_not(word.begin(), word.end(), is_letter);
  return digits != word.begin() && digits != word.end() &&
         std::all_of(digits, word.end(), is_digit);
}

text::Span span_of(std::size_t begin, std::size_t end) {
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

text::Span moved(text::Span span, uint32_t by) { return {span.begin + by, span.end + by}; }

/// The lines of the list that hold a line; else that line alone.
JoinedLines lines_with(uint32_t line, const std::vector<JoinedLines>& list) {
  const auto after = std::ranges::upper_bound(list, line, {}, &JoinedLines::first);
  if (after == list.begin() || (after - 1)->last < line) return {line, line};
  return *(after - 1);
}

/// How far the word goes that begins a comment of a batch file: `rem`, `::`; 0 for a `#`.
std::size_t batch_mark(std::string_view comment) {
  if (comment.starts_with("::")) return 2;
  return starts_with_ignoring_case(comment, "rem ") ? 4 : 0;
}

}  // namespace

bool Suppressions::may_hold_our_directive(std::string_view bytes) {
  return bytes.find(our_word) != std::string_view::npos ||
         bytes.find("VRL") != std::string_view::npos;
}

Suppressions Suppressions::read(const text::Source& source, const knowledge::Knowledge& knowledge) {
  Suppressions suppressions(source, knowledge);
  CommentScan scan = scan_comments(source);
  suppressions.joined_ = std::move(scan.joined);
  suppressions.blocks_ = std::move(scan.blocks);
  suppressions.shells_ = std::move(scan.shells);
  const std::vector<Comment>& comments = scan.comments;
  // A comment on a line of its own speaks about the next line that is more than such a comment.
  std::vector<uint32_t> next_lines(comments.size());
  for (std::size_t i = comments.size(); i-- > 0;) {
    const bool followed = i + 1 < comments.size() && comments[i + 1].own_line &&
                          comments[i + 1].line == comments[i].line + 1;
    next_lines[i] = followed ? next_lines[i + 1] : comments[i].line + 1;
  }
  for (std::size_t i = 0; i < comments.size(); ++i) {
    suppressions.read_comment(comments[i], next_lines[i]);
  }
  return suppressions;
}

void Suppressions::read_comment(const Comment& comment, uint32_t next_line) {
  const std::string_view text = source_.slice(comment.span);
  const std::size_t mark = batch_mark(text);
  std::size_t at = mark > 0 ? mark - 1 : text.find('#');
  std::size_t found = 0;
  while (at != std::string_view::npos && found < max_in_comment) {
    Directive directive;
    if (!try_directive(text.substr(at), directive)) {
      at = text.find('#', at + 1);
      continue;
    }
    const std::size_t end = at + directive.span.end;
    const uint32_t offset = comment.span.begin + static_cast<uint32_t>(at);
    directive.span = moved(directive.span, offset);
    if (at + 1 == mark) directive.span.begin = comment.span.begin;
    directive.list = moved(directive.list, offset);
    directive.comment = comment.span;
    directive.own_line = comment.own_line;
    const bool about_next = directive.scope == Scope::line && !directive.noqa && comment.own_line;
    if (about_next) directive.scope = Scope::next_line;
    directive.line = about_next && is_same_cell(comment, next_line) ? next_line : comment.line;
    read_words(directive);
    ++found;
    if (directive.scope == Scope::file && on_file_.size() == max_on_file) return;
    (directive.scope == Scope::file ? on_file_ : on_lines_).push_back(std::move(directive));
    at = text.find('#', end);
  }
}

/// A comment at the end of a cell says nothing of the next one.
bool Suppressions::is_same_cell(const Comment& comment, uint32_t line) const {
  if (source_.cells_or_null() == nullptr) return true;
  return source_.cell_position_of(comment.span.begin).cell ==
         source_.cell_position_of(source_.line_begin(line)).cell;
}

/// `text` begins with a `#`; the spans set count from there.
bool Suppressions::try_directive(std::string_view text, Directive& directive) {
  const std::size_t at = skip_blanks(text, 1);
  if (text.substr(at, our_word.size()) == our_word) {
    return try_own(text, skip_blanks(text, at + our_word.size()), directive);
  }
  if (starts_with_ignoring_case(text.substr(at), "noqa")) return try_noqa(text, at + 4, directive);
  return false;
}

bool Suppressions::try_own(std::string_view text, std::size_t at, Directive& directive) {
  const std::size_t end = word_end(text, at);
  const std::string_view verb = text.substr(at, end - at);
  if (verb != "ignore" && verb != "ignore-file") return false;
  directive.scope = verb == "ignore" ? Scope::line : Scope::file;
  directive.blanket = end >= text.size() || text[end] != '[';
  directive.span = span_of(0, end);
  if (directive.blanket) return true;
  const std::size_t close = std::min(text.find(']', end), text.size());
  directive.list = span_of(end + 1, close);
  directive.span.end = static_cast<uint32_t>(std::min(close + 1, text.size()));
  return true;
}

/// As ruff and flake8 read it: `noqa` alone, or a colon and codes. Other words after the colon make
/// it somebody's prose.
bool Suppressions::try_noqa(std::string_view text, std::size_t at, Directive& directive) {
  directive.noqa = true;
  const std::size_t colon = skip_blanks(text, at);
  directive.blanket = colon >= text.size() || text[colon] != ':';
  if (directive.blanket) {
    directive.span = span_of(0, at);
    return at >= text.size() || !is_word_byte(text[at]);
  }
  const std::size_t begin = skip_blanks(text, colon + 1);
  std::size_t end = begin;
  std::size_t next = begin;
  while (next < text.size()) {
    const std::size_t code_end = word_end(text, next);
    if (!looks_like_code(text.substr(next, code_end - next))) break;
    end = code_end;
    next = code_end;
    while (next < text.size() && (text[next] == ',' || text[next] == ' ')) ++next;
  }
  directive.list = span_of(begin, end);
  directive.span = span_of(0, end);
  return end > begin;
}

void Suppressions::read_words(Directive& directive) const {
  const std::string_view list = source_.slice(directive.list);
  std::size_t at = 0;
  while (at < list.size() && directive.words.size() < max_words) {
    const std::size_t end = std::min(list.find_first_of(", \t", at), list.size());
    if (end > at) {
      const std::string_view word = list.substr(at, end - at);
      const bool ours =
          !directive.noqa || knowledge_.page(word) != nullptr || word.starts_with("VRL");
      directive.words.push_back({std::string(word), ours, false});
    }
    at = end + 1;
  }
}

/// The lines that are one with a line, as far as comments go.
JoinedLines Suppressions::joined_with(uint32_t line) const { return lines_with(line, joined_); }

/// The line above a block of YAML that holds this one; else the line itself.
uint32_t Suppressions::head_of(uint32_t line) const { return lines_with(line, blocks_).first; }

bool Suppressions::silence(const Diagnostic& finding) {
  // Every directive that fits counts as used, not only the first.
  bool silenced = false;
  for (Directive& directive : on_file_) silenced |= silences(directive, finding);
  const uint32_t start = source_.line_in(finding.cell, finding.range.start.line);
  const uint32_t end = source_.line_in(finding.cell, finding.range.end.line);
  const uint32_t first = joined_with(start).first;
  const bool ends_before_line = finding.range.end.column == 1;
  const uint32_t last = joined_with(std::max(start, end - (ends_before_line ? 1u : 0u))).last;
  silenced |= silence_on(first, last, finding);
  const uint32_t head = head_of(start);
  return (head < first && silence_on(head, head, finding)) || silenced;
}

bool Suppressions::silence_on(uint32_t first, uint32_t last, const Diagnostic& finding) {
  bool silenced = false;
  auto at = std::ranges::lower_bound(on_lines_, first, {}, &Directive::line);
  for (; at != on_lines_.end() && at->line <= last; ++at) silenced |= silences(*at, finding);
  return silenced;
}

bool Suppressions::silences(Directive& directive, const Diagnostic& finding) const {
  // A comment that does too much must not hide the finding that says so: only by name.
  const bool by_name_only = finding.rule == unused_rule || finding.rule == blanket_rule;
  bool fits = directive.blanket && !by_name_only;
  for (Word& word : directive.words) {
    const bool meant = word.text == finding.rule || word.text == finding.code ||
                       (word.text == finding.family && !by_name_only);
    word.used |= meant;
    fits |= meant;
  }
  directive.used |= fits;
  if (fits && directive.blanket && std::ranges::count(directive.silenced, finding.rule) == 0) {
    directive.silenced.push_back(finding.rule);
  }
  return fits;
}

}  // namespace vramlint::diagnostics
