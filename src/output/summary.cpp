// SPDX-License-Identifier: MIT
#include "output/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/paint.h"
#include "output/visible.h"
#include "support/counted.h"

namespace vramlint::output {

namespace {

using diagnostics::Severity;

/// `2 errors, 1 warning`; empty without findings.
std::string counts_of(const Report& report) {
  std::string counts;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    const std::ptrdiff_t count =
        std::ranges::count(report.diagnostics, severity, &diagnostics::Diagnostic::severity);
    if (count == 0) continue;
    if (!counts.empty()) counts += ", ";
    counts += counted(static_cast<std::size_t>(count), name_of(severity));
  }
  return counts;
}

std::size_t fixable(const Report& report, diagnostics::Applicability applicability) {
  return static_cast<std::size_t>(
      std::ranges::count_if(report.diagnostics, [&](const diagnostics::Diagnostic& finding) {
        return finding.fix && finding.fix->applicability == applicability;
      }));
}

/// What could still be fixed, and how; empty when nothing can. After a run with `--fix` the fixes
/// that it was to make are made, or can't be.
std::string fixing_advice(const Report& report) {
  using diagnostics::Applicability;
  std::size_t ready = report.fixed ? 0 : fixable(report, Applicability::safe);
  std::size_t hidden = fixable(report, Applicability::unsafe);
  if (report.with_unsafe_fixes) {
    if (!report.fixed) ready += hidden;
    hidden = 0;
  }
  if (ready > 0 && hidden > 0) {
    return fmt::format("`--fix` can fix {} of them, `--fix --unsafe-fixes` {} more.\n", ready,
                       hidden);
  }
  if (ready > 0) return fmt::format("`--fix` can fix {} of them.\n", ready);
  if (hidden > 0) return fmt::format("`--fix --unsafe-fixes` can fix {} of them.\n", hidden);
  return {};
}

}  // namespace

std::string cell_text(std::optional<int> cell) {
  return cell ? fmt::format("cell {}:", *cell) : "";
}

std::string headline(const diagnostics::Diagnostic& finding, Style style) {
  const std::string kind = fmt::format("{}[{}]", name_of(finding.severity), finding.code);
  return fmt::format("{}:{}{}:{}: {} {}: {}\n", painted(visible(finding.file), Paint::bold, style),
                     cell_text(finding.cell), finding.range.start.line, finding.range.start.column,
                     painted(kind, paint_of(finding.severity), style), finding.rule,
                     visible(finding.message));
}

std::string summary(const Report& report, Style style) {
  if (report.files == 0) return {};
  const std::string counts = counts_of(report);
  const std::string files = counted(report.files, "file");
  if (report.fixed.value_or(0) > 0) {
    const std::size_t remaining = report.diagnostics.size();
    return fmt::format("Found {} in {} ({} fixed, {} remaining).\n",
                       counted(*report.fixed + remaining, "finding"), files, *report.fixed,
                       remaining) +
           fixing_advice(report);
  }
  if (!counts.empty())
    return fmt::format("Found {} in {}.\n", counts, files) + fixing_advice(report);
  // Files that could not be read did not pass, and neither did a baseline that is refused.
  if (!report.errors.empty() || report.baseline_refused)
    return fmt::format("Nothing found in {}.\n", files);
  return painted("All checks passed.", Paint::bold, style) + "\n";
}

}  // namespace vramlint::output
