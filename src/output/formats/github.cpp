// SPDX-License-Identifier: MIT
// Workflow commands of GitHub Actions: each line becomes an annotation on the lines of a change.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "output/format.h"
#include "output/summary.h"
#include "output/visible.h"

namespace vramlint::output {

namespace {

using diagnostics::Diagnostic;
using diagnostics::Severity;

/// What the runner takes back: nothing else is escaped, so other control characters are shown as
/// pictures. A property must not hold what ends it either.
std::string escaped(std::string_view text, bool is_property) {
  std::string made;
  while (!text.empty()) {
    const char byte = text.front();
    const bool ends_property = is_property && (byte == ':' || byte == ',');
    if (byte == '%' || byte == '\r' || byte == '\n' || ends_property) {
      made += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
      text.remove_prefix(1);
      continue;
    }
    const Glyph glyph = next_glyph(text, 0);
    made += glyph.text;
    text.remove_prefix(glyph.bytes);
  }
  return made;
}

std::string_view command_of(Severity severity) {
  switch (severity) {
    case Severity::note: return "notice";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "";
}

/// Columns count only within one line; lines of a cell are not lines of the notebook's file.
std::string place_of(const Diagnostic& finding) {
  std::string place = ",file=" + escaped(finding.file, true);
  const diagnostics::Range& range = finding.range;
  if (finding.cell) return place;
  place += fmt::format(",line={}", range.start.line);
  if (range.start.line == range.end.line) {
    return place + fmt::format(",col={},endLine={},endColumn={}", range.start.column,
                               range.end.line, range.end.column);
  }
  return place + fmt::format(",endLine={}", range.end.line);
}

std::string text_of(const Diagnostic& finding) {
  std::string text = fmt::format("{}:{}{}:{}: {} {}: {}", finding.file, cell_text(finding.cell),
                                 finding.range.start.line, finding.range.start.column, finding.code,
                                 finding.rule, finding.message);
  if (!finding.help.empty()) text += "\nhelp: " + finding.help;
  for (const diagnostics::Related& place : finding.related) {
    text += fmt::format("\n{}:{}{}:{}: {}", place.file, cell_text(place.cell),
                        place.range.start.line, place.range.start.column, place.message);
  }
  return text;
}

}  // namespace

std::string write_github(const Report& report, Style) {
  std::string text;
  for (const Diagnostic& finding : report.diagnostics) {
    text += fmt::format("::{} title={}{}::{}\n", command_of(finding.severity),
                        escaped(fmt::format("vramlint ({})", finding.code), true),
                        place_of(finding), escaped(text_of(finding), false));
  }
  for (const diagnostics::FileError& error : report.errors) {
    text += fmt::format("::error title=vramlint,file={}::{}\n", escaped(error.file, true),
                        escaped(error.file + ": " + error.message, false));
  }
  return text;
}

}  // namespace vramlint::output
