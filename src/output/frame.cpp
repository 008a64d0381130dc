// SPDX-License-Identifier: MIT
#include "output/frame.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/visible.h"

namespace vramlint::output {

namespace {

constexpr int widest_line = 120;         ///< cells of source shown of one line
constexpr uint32_t lead = 40;            ///< code points shown before a range far to the right
constexpr uint32_t last_column = 65536;  ///< beyond this the range is not looked for

bool continues_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// Byte of the code point that is `count` after `at`.
std::size_t forward(std::string_view line, std::size_t at, uint32_t count) {
  while (count > 0 && at < line.size()) {
    ++at;
    while (at < line.size() && continues_code_point(line[at])) ++at;
    --count;
  }
  return at;
}

std::size_t backward(std::string_view line, std::size_t at, uint32_t count) {
  while (count > 0 && at > 0) {
    --at;
    while (at > 0 && continues_code_point(line[at])) --at;
    --count;
  }
  return at;
}

std::string_view without_trailing_blanks(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t\f") + 1);
}

/// Shows the bytes from `first` on and marks those of [begin, end).
Frame::Line shown_line(std::string_view line, std::size_t first, std::size_t begin, std::size_t end,
                       char mark) {
  Frame::Line shown;
  int cell = 0;
  if (first > 0) {
    shown.text = "…";
    shown.marks = " ";
    cell = 1;
  }
  std::size_t at = first;
  while (at < line.size()) {
    const Glyph glyph = next_glyph(line.substr(at), cell);
    if (cell + glyph.width > widest_line) {
      shown.text += "…";
      break;
    }
    shown.text += glyph.text;
    const char below = begin <= at && at < end ? mark : ' ';
    shown.marks.append(static_cast<std::size_t>(glyph.width), below);
    cell += glyph.width;
    at += glyph.bytes;
  }
  // A range without a width, or at the end of a line, still needs a place to point at.
  const std::size_t marked = shown.marks.find_last_of(mark);
  shown.marks.resize(marked == std::string::npos ? shown.marks.size() : marked + 1);
  if (marked == std::string::npos) shown.marks += mark;
  return shown;
}

Frame::Line marked_line(std::string_view line, const diagnostics::Range& range, char mark) {
  const std::size_t begin = forward(line, 0, range.start.column - 1);
  std::size_t end = without_trailing_blanks(line).size();
  if (range.end.line == range.start.line && range.end.column >= range.start.column) {
    end = forward(line, begin,
                  std::min<uint32_t>(range.end.column - range.start.column, widest_line));
  }
  const bool far_right = range.start.column > widest_line - lead;
  const std::size_t first = far_right ? backward(line, begin, lead) : 0;
  if (begin == end) return shown_line(line, first, begin, begin + 1, mark);
  return shown_line(line, first, begin, end, mark);
}

Frame::Line plain_line(std::string_view line) {
  Frame::Line shown = shown_line(without_trailing_blanks(line), 0, 0, 0, '^');
  shown.marks.clear();
  return shown;
}

bool is_blank(std::string_view line) { return without_trailing_blanks(line).empty(); }

}  // namespace

Frame frame_of(const text::Source& source, std::optional<int> cell, const diagnostics::Range& range,
               FrameShape shape) {
  Frame frame;
  const uint32_t at = source.line_in(cell, range.start.line);
  const text::LineRange lines = source.lines_around(at);
  const bool is_there = at >= lines.first && at <= lines.last && range.start.column >= 1;
  if (!is_there || range.start.column > last_column) return frame;
  uint32_t first = at - std::min(at - lines.first, shape.context);
  uint32_t last = std::min(lines.last, at + shape.context);
  while (first < at && is_blank(source.line(first))) ++first;
  while (last > at && is_blank(source.line(last))) --last;
  for (uint32_t number = first; number <= last; ++number) {
    const std::string_view line = source.line(number);
    frame.lines.push_back(number == at ? marked_line(line, range, shape.mark) : plain_line(line));
    frame.lines.back().number = number - lines.first + 1;
  }
  return frame;
}

std::size_t gutter_of(const Frame& frame) {
  return frame.lines.empty() ? 1 : std::to_string(frame.lines.back().number).size();
}

std::string rendered(const Frame& frame, std::size_t gutter, std::string_view label, Paint paint,
                     Style style) {
  const std::string empty = painted(std::string(gutter + 1, ' ') + "|", Paint::blue, style);
  std::string text = empty + "\n";
  for (const Frame::Line& line : frame.lines) {
    const std::string number = fmt::format("{:>{}} |", line.number, gutter);
    text += painted(number, Paint::blue, style) + (line.text.empty() ? "" : " " + line.text) + "\n";
    if (line.marks.empty()) continue;
    const std::string marks = line.marks + (label.empty() ? "" : " " + std::string(label));
    const std::size_t blanks = marks.find_first_not_of(' ');
    text += empty + " " + marks.substr(0, blanks) +
            painted(std::string_view(marks).substr(blanks), paint, style) + "\n";
  }
  return text + empty + "\n";
}

}  // namespace vramlint::output
