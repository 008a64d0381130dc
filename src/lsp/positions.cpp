// SPDX-License-Identifier: MIT
#include "lsp/positions.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "text/utf8.h"

namespace vramlint::lsp {

namespace {

constexpr std::array<std::pair<std::string_view, Encoding>, 3> encodings = {
    {{"utf-8", Encoding::utf8}, {"utf-16", Encoding::utf16}, {"utf-32", Encoding::utf32}}};

uint32_t units_of(const text::CodePoint& point, Encoding encoding) {
  switch (encoding) {
    case Encoding::utf8: return static_cast<uint32_t>(point.bytes);
    case Encoding::utf16: return point.value > 0xffff ? 2 : 1;
    case Encoding::utf32: return 1;
  }
  return 1;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char byte) { return static_cast<signed char>(byte) >= 0; });
}

/// The line, from 0, that holds a byte.
uint32_t line_with(const text::Source& source, uint32_t offset) {
  return source.position_of(offset).line - 1;
}

}  // namespace

std::string_view name_of(Encoding encoding) {
  for (const auto& [name, value] : encodings) {
    if (value == encoding) return name;
  }
  return {};
}

std::optional<Encoding> parse_encoding(std::string_view name) {
  for (const auto& [known, value] : encodings) {
    if (known == name) return value;
  }
  return std::nullopt;
}

Position position_at(const text::Source& source, uint32_t offset, Encoding encoding) {
  offset = std::min(offset, static_cast<uint32_t>(source.bytes().size()));
  const uint32_t line = line_with(source, offset);
  const uint32_t begin = source.line_begin(line + 1);
  std::string_view before = source.slice({begin, offset});
  if (encoding == Encoding::utf8 || is_ascii(before)) return {line, offset - begin};
  std::string_view rest = source.slice({begin, std::numeric_limits<uint32_t>::max()});
  Position position{line, 0};
  for (uint32_t at = begin; at < offset;) {
    const text::CodePoint point = text::first_code_point(rest);
    if (at + point.bytes > offset) break;
    position.character += units_of(point, encoding);
    rest.remove_prefix(point.bytes);
    at += static_cast<uint32_t>(point.bytes);
  }
  return position;
}

Range range_of(const text::Source& source, text::Span span, Encoding encoding) {
  return {position_at(source, span.begin, encoding), position_at(source, span.end, encoding)};
}

uint32_t offset_at(const text::Source& source, Position position, Encoding encoding) {
  if (position.line >= source.line_count()) return static_cast<uint32_t>(source.bytes().size());
  uint32_t offset = source.line_begin(position.line + 1);
  std::string_view line = source.line(position.line + 1);
  uint32_t left = position.character;
  while (left > 0 && !line.empty()) {
    const text::CodePoint point = text::first_code_point(line);
    const uint32_t units = units_of(point, encoding);
    if (units > left) break;
    left -= units;
    line.remove_prefix(point.bytes);
    offset += static_cast<uint32_t>(point.bytes);
  }
  return offset;
}

text::Span span_at(const text::Source& source, Range range, Encoding encoding) {
  const uint32_t start = offset_at(source, range.start, encoding);
  const uint32_t end = offset_at(source, range.end, encoding);
  return {std::min(start, end), std::max(start, end)};
}

}  // namespace vramlint::lsp
