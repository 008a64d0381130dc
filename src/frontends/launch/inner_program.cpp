// SPDX-License-Identifier: MIT
//
// What is no Python becomes blanks, so that every byte of the program keeps its place. Where all of
// it is indented, as in YAML, below `<<-` or behind `-c`, Python gets it without that indentation:
// the line end in front of a line moves up to where the line begins.
#include "frontends/launch/inner_program.h"

#include <string>
#include <string_view>

namespace vramlint::frontends {

std::shared_ptr<const text::Source> inner_program(const text::Source& file,
                                                  std::span<const text::Span> lines,
                                                  std::span<const text::Span> filled_in) {
  const std::string_view bytes = file.bytes();
  std::string program(bytes.size(), ' ');
  for (size_t at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1))
    program[at] = '\n';
  for (const text::Span& line : lines) {
    const std::string_view text = file.slice(line);
    const bool is_last = &line == &lines.back();
    const size_t end = text.find('\n');
    const bool is_line = end == std::string_view::npos ? is_last : end + 1 == text.size();
    if (!is_line) return nullptr;
    text.copy(&program[line.begin], text.size());
  }
  for (const text::Span& stretch : filled_in)
    program.replace(stretch.begin, stretch.size(), stretch.size(), '_');
  for (const text::Span& line : lines) {
    const size_t before = bytes.substr(0, line.begin).rfind('\n');
    if (before + 1 == line.begin) continue;
    if (before == std::string_view::npos) {
      program[line.begin - 1] = '\n';
      continue;
    }
    std::string_view above = std::string_view(program).substr(0, before);
    if (above.ends_with('\r')) above.remove_suffix(1);
    // Behind a backslash nothing but the line end may stand, and no indentation counts.
    if (above.ends_with('\\')) continue;
    for (size_t at = above.size(); at + 1 < line.begin; ++at) program[at] = ' ';
    program[line.begin - 1] = '\n';
  }
  return std::make_shared<const text::Source>(file.path(), std::string(bytes), std::move(program));
}

}  // namespace vramlint::frontends
