// SPDX-License-Identifier: MIT
#include "diagnostics/diagnostic.h"

#include <tuple>

namespace vramlint::diagnostics {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "";
}

std::string_view name_of(Applicability applicability) {
  switch (applicability) {
    case Applicability::safe: return "safe";
    case Applicability::unsafe: return "unsafe";
    case Applicability::suggestion: return "suggestion";
  }
  return "";
}

CellRange range_in(const text::Source& source, text::Span span) {
  const text::CellPosition start = source.cell_position_of(span.begin);
  text::Position end = source.position_of(span.end);
  end.line -= source.position_of(span.begin).line - start.position.line;
  return {start.cell, {start.position, end}};
}

bool shown_before(const Diagnostic& left, const Diagnostic& right) {
  const auto key = [](const Diagnostic& finding) {
    return std::tie(finding.file, finding.cell, finding.range, finding.code, finding.message);
  };
  return key(left) < key(right);
}

}  // namespace vramlint::diagnostics
