// SPDX-License-Identifier: MIT
#include "output/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/paint.h"
#include "output/visible.h"

namespace vramlint::output {

namespace {

using diagnostics::Severity;

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

std::string headline(const diagnostics::Diagnostic& finding, Style style) {
  const std::string cell = finding.cell ? fmt::format("cell {}:", *finding.cell) : "";
  const std::string kind = fmt::format("{}[{}]", name_of(finding.severity), finding.code);
  return fmt::format("{}:{}{}:{}: {} {}: {}\n", painted(visible(finding.file), Paint::bold, style),
                     cell, finding.range.start.line, finding.range.start.column,
                     painted(kind, paint_of(finding.severity), style), finding.rule,
                     visible(finding.message));
}

std::string summary(const Report& report, Style style) {
  if (report.files == 0) return {};
  std::string counts;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    const std::ptrdiff_t count =
        std::ranges::count(report.diagnostics, severity, &diagnostics::Diagnostic::severity);
    if (count == 0) continue;
    if (!counts.empty()) counts += ", ";
    counts += counted(static_cast<std::size_t>(count), name_of(severity));
  }
  if (!counts.empty())
    return fmt::format("Found {} in {}.\n", counts, counted(report.files, "file"));
  // Files that could not be read did not pass.
  if (!report.errors.empty())
    return fmt::format("Nothing found in {}.\n", counted(report.files, "file"));
  return painted("All checks passed.", Paint::bold, style) + "\n";
}

}  // namespace vramlint::output
