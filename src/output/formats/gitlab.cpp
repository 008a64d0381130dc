// SPDX-License-Identifier: MIT
// GitLab's Code Quality report, a subset of Code Climate's. It knows a finding again by its
// fingerprint, and has no place for files that could not be read.
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "output/format.h"

namespace vramlint::output {

using Json = nlohmann::ordered_json;
using diagnostics::Diagnostic;
using diagnostics::Severity;

namespace {

std::string_view word_of(Severity severity) {
  switch (severity) {
    case Severity::note: return "info";
    case Severity::warning: return "major";
    case Severity::error: return "critical";
  }
  return "";
}

Json position(text::Position position) {
  return {{"line", position.line}, {"column", position.column}};
}

Json location(const Diagnostic& finding) {
  // Lines of a cell are not lines of the notebook's file.
  if (finding.cell) return {{"path", finding.file}, {"lines", {{"begin", 1}, {"end", 1}}}};
  return {{"path", finding.file},
          {"positions",
           {{"begin", position(finding.range.start)}, {"end", position(finding.range.end)}}}};
}

Json issue(const Diagnostic& finding) {
  const std::string help = finding.help.empty() ? "" : "; help: " + finding.help;
  return {{"type", "issue"},
          {"check_name", finding.rule},
          {"description", finding.code + ": " + finding.message + help},
          {"categories",
           Json::array({finding.severity == Severity::error ? "Bug Risk" : "Performance"})},
          {"fingerprint", finding.fingerprint},
          {"severity", word_of(finding.severity)},
          {"location", location(finding)}};
}

}  // namespace

std::string write_gitlab(const Report& report, Style) {
  Json issues = Json::array();
  for (const Diagnostic& finding : report.diagnostics) issues.push_back(issue(finding));
  return issues.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vramlint::output
