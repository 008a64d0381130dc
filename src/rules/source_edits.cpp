// SPDX-License-Identifier: MIT
#include "rules/source_edits.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vramlint::rules {

namespace {

using replay::Place;
using text::Span;

const text::Source& source_of(const CheckContext& context, Place place) {
  return *context.timeline.files[place.file];
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

bool is_code(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\f");
  return first != std::string_view::npos && line[first] != '#';
}

size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// The last line before this one that is neither blank nor a comment; 0 when there is none.
uint32_t code_line_before(const text::Source& source, uint32_t line) {
  uint32_t before = line - 1;
  while (before > 0 && !is_code(source.line(before))) --before;
  return before;
}

/// Whether the line opens the block of a loop, a condition or the like, which would be for nothing
/// without what stands in it.
bool opens_for_its_body(std::string_view line) {
  line.remove_prefix(indent_of(line));
  constexpr std::array<std::string_view, 9> words = {"if",   "elif", "else",   "for",    "while",
                                                     "with", "try",  "except", "finally"};
  const std::string_view word = line.substr(0, line.find_first_of(" :("));
  return std::ranges::find(words, word) != words.end();
}

/// Whether nothing else stands in the block of these lines.
bool is_alone(const text::Source& source, uint32_t first, uint32_t last) {
  const size_t indent = indent_of(source.line(first));
  const auto is_further_out = [&](uint32_t line) { return indent_of(source.line(line)) < indent; };
  const uint32_t before = code_line_before(source, first);
  uint32_t after = last + 1;
  while (after <= source.line_count() && !is_code(source.line(after))) ++after;
  const bool opens = before == 0 || is_further_out(before);
  const bool closes = after > source.line_count() || is_further_out(after);
  return indent > 0 && opens && closes;
}

/// Whether the word is all that stands between two quotes.
bool is_quoted(std::string_view text, size_t begin, size_t size) {
  if (begin == 0 || begin + size >= text.size()) return false;
  const char quote = text[begin - 1];
  return (quote == '"' || quote == '\'') && text[begin + size] == quote;
}

/// `f(x for x in y)`: such an argument stands alone.
bool has_generator(std::string_view argument) {
  return argument.find(" for ") != std::string_view::npos;
}

/// `$NAME` or `${NAME`: what is renamed in one place only would be lost there.
bool is_expanded(std::string_view all, std::string_view name) {
  for (size_t at = all.find(name); at != std::string_view::npos; at = all.find(name, at + 1)) {
    const std::string_view front = all.substr(0, at);
    if (front.ends_with('$') || front.ends_with("${")) return true;
  }
  return false;
}

std::optional<WrittenCall> call_in(const CheckContext& context, Place call) {
  std::optional<WrittenCall> made = read_call(context.text(call));
  // What is unpacked may hold the argument as well.
  if (made && made->unpacks) return std::nullopt;
  return made;
}

}  // namespace

RawFix fix_of(Applicability applicability, std::string title, Place place, std::string text) {
  RawFix fix;
  fix.applicability = applicability;
  fix.title = std::move(title);
  fix.edits.push_back({place, std::move(text)});
  return fix;
}

Place part_of(Place place, TextSpan part) {
  const auto begin = static_cast<uint32_t>(place.span.begin + part.begin);
  return {place.file, {begin, static_cast<uint32_t>(begin + part.size())}};
}

std::optional<Place> own_lines(const CheckContext& context, Place place) {
  const text::Source& source = source_of(context, place);
  const uint32_t first = source.position_of(place.span.begin).line;
  const uint32_t last = source.position_of(place.span.end).line;
  const Span lines{source.line_begin(first), source.line_begin(last + 1)};
  const std::string_view before = source.slice({lines.begin, place.span.begin});
  std::string_view after = source.slice({place.span.end, lines.end});
  after = after.substr(0, after.find_first_of("\r\n"));
  const size_t next = after.find_first_not_of(" \t");
  const bool ends = next == std::string_view::npos || after[next] == '#';
  // The line before may go on here.
  const bool is_continued = first > 1 && source.line(first - 1).ends_with('\\');
  if (!is_blank(before) || !ends || is_continued) return std::nullopt;
  return Place{place.file, lines};
}

Span lines_without_gap(const text::Source& source, uint32_t first, uint32_t behind) {
  const auto blank = [&](uint32_t line) { return is_blank(source.line(line)); };
  const text::LineRange all = source.lines_around(first);
  // What follows the last line end is no line.
  const uint32_t count = source.line(all.last).empty() ? all.last - 1 : all.last;
  if (behind > count) {
    while (first > all.first && blank(first - 1)) --first;
    return {source.line_begin(first), source.line_begin(behind)};
  }
  if ((first == all.first || blank(first - 1)) && blank(behind) && behind < count) ++behind;
  return {source.line_begin(first), source.line_begin(behind)};
}

std::optional<RawFix> without_statement(const CheckContext& context, Place place,
                                        Applicability applicability, std::string title) {
  const std::optional<Place> lines = own_lines(context, place);
  if (!lines) return std::nullopt;
  const text::Source& source = source_of(context, place);
  const uint32_t first = source.position_of(place.span.begin).line;
  const uint32_t last = source.position_of(place.span.end).line;
  if (is_alone(source, first, last)) {
    const uint32_t opener = code_line_before(source, first);
    if (opener > 0 && opens_for_its_body(source.line(opener))) return std::nullopt;
    return fix_of(applicability, std::move(title), place, "pass");
  }
  const Place gone{place.file, lines_without_gap(source, first, last + 1)};
  return fix_of(applicability, std::move(title), gone, "");
}

std::optional<RawFix> without_argument(const CheckContext& context, Place call,
                                       std::string_view keyword, int position,
                                       Applicability applicability) {
  const std::optional<WrittenCall> written = call_in(context, call);
  const WrittenArgument* argument = written ? written->argument(keyword, position) : nullptr;
  if (argument == nullptr) return std::nullopt;
  const auto index = static_cast<size_t>(argument - written->arguments.data());
  const bool is_last = index + 1 == written->arguments.size();
  // Positional arguments behind it would move up.
  if (!is_last && argument->keyword.empty() && written->arguments[index + 1].keyword.empty())
    return std::nullopt;
  TextSpan gone = argument->whole;
  if (!is_last) {
    gone.end = written->arguments[index + 1].whole.begin;
  } else if (index > 0) {
    gone.begin = written->arguments[index - 1].whole.end;
  } else {
    gone = {written->open + 1, written->close};
  }
  const std::string name(argument->keyword.empty() ? keyword : argument->keyword);
  return fix_of(applicability, "leave out `" + name + "`", part_of(call, gone), "");
}

std::optional<RawFix> with_argument_value(const CheckContext& context, Place call,
                                          std::string_view keyword, int position,
                                          const std::string& value, Applicability applicability) {
  const std::optional<WrittenCall> written = call_in(context, call);
  const WrittenArgument* argument = written ? written->argument(keyword, position) : nullptr;
  if (argument == nullptr) return std::nullopt;
  return fix_of(applicability, "write `" + value + "`", part_of(call, argument->value), value);
}

std::optional<RawFix> with_argument(const CheckContext& context, Place call,
                                    const std::string& argument, Applicability applicability) {
  const std::optional<WrittenCall> written = call_in(context, call);
  if (!written) return std::nullopt;
  const std::string title = "add `" + argument + "`";
  if (written->arguments.empty())
    return fix_of(applicability, title, part_of(call, {written->close, written->close}), argument);
  const WrittenArgument& last = written->arguments.back();
  if (has_generator(context.text(part_of(call, last.whole)))) return std::nullopt;
  const TextSpan behind{last.whole.end, last.whole.end};
  const text::Source& source = source_of(context, call);
  const Place place = part_of(call, behind);
  const uint32_t line = source.position_of(part_of(call, last.whole).span.begin).line;
  const std::string_view before =
      source.slice({source.line_begin(line), part_of(call, last.whole).span.begin});
  // One argument a line stays so.
  if (written->trailing_comma && is_blank(before))
    return fix_of(applicability, title, place, ",\n" + std::string(before) + argument);
  return fix_of(applicability, title, place, ", " + argument);
}

std::optional<RawFix> with_variable(const CheckContext& context, const replay::Observation& write,
                                    std::string_view name, Applicability applicability) {
  const Place place = context.event(write.event).place;
  const std::optional<size_t> at = only_word(context.text(place), write.name);
  if (!at) return std::nullopt;
  const text::Source& source = source_of(context, place);
  if (text::launches(source.language()) && is_expanded(source.bytes(), write.name))
    return std::nullopt;
  RawFix fix;
  fix.applicability = applicability;
  fix.title = "write `" + std::string(name) + "`";
  const auto rename = [&](size_t begin) {
    const Place word = part_of({place.file, {}}, {begin, begin + write.name.size()});
    fix.edits.push_back({word, std::string(name)});
  };
  const std::string_view all = source_of(context, place).bytes();
  const size_t own = place.span.begin + *at;
  if (!is_quoted(all, own, write.name.size())) {
    rename(own);
    return fix;
  }
  // A condition that asks for the name goes with the write.
  for (size_t i = all.find(write.name); i != std::string_view::npos;
       i = all.find(write.name, i + 1)) {
    if (is_quoted(all, i, write.name.size())) rename(i);
  }
  return fix;
}

std::optional<RawFix> with_value(const CheckContext& context, const replay::Observation& write,
                                 std::string_view value, Applicability applicability) {
  const std::optional<Place>& literal = write.value.literal;
  if (!literal || !write.value.plain || context.text(*literal) != write.value.text)
    return std::nullopt;
  // The literal may be a constant that other code uses as well.
  const Place place = context.event(write.event).place;
  if (literal->file != place.file || !place.span.contains(literal->span)) return std::nullopt;
  return fix_of(applicability, "write `" + std::string(value) + "`", *literal, std::string(value));
}

RawEdit detached(const CheckContext& context, Place expression) {
  const std::string text(context.text(expression));
  // `(a - b).mean()` has its brackets already.
  const bool stands = is_primary(text) || (text.starts_with('(') && is_primary("x" + text));
  return {expression, stands ? text + ".detach()" : "(" + text + ").detach()"};
}

}  // namespace vramlint::rules
