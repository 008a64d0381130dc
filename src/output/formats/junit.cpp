// SPDX-License-Identifier: MIT
// JUnit's XML as Jenkins reads it (its junit-10.xsd): one suite a file that has something to say,
// one failed test a finding, one broken test a file that could not be read. A run without either
// has one test that passed, since some readers take an empty report for a broken one.
#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "output/format.h"
#include "output/summary.h"
#include "output/visible.h"
#include "support/xml.h"

namespace vramlint::output {

namespace {

using diagnostics::Diagnostic;
using diagnostics::FileError;

struct Suite {
  std::vector<const Diagnostic*> failures;
  std::vector<const FileError*> errors;
};

/// Without what XML 1.0 has no way to write, and with line ends kept.
std::string escaped(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const Glyph glyph = next_glyph(text, 0);
    const bool is_no_character = glyph.text == "\xef\xbf\xbe" || glyph.text == "\xef\xbf\xbf";
    if (text.front() == '\n') {
      made += "&#10;";
    } else {
      made += is_no_character ? "\xef\xbf\xbd" : xml_escaped(glyph.text);
    }
    text.remove_prefix(glyph.bytes);
  }
  return made;
}

std::string counts(std::size_t tests, std::size_t failures, std::size_t errors) {
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", tests, failures, errors);
}

std::string body_of(const Diagnostic& finding) {
  std::string text =
      fmt::format("{}:{}{}:{}: {}", finding.file, cell_text(finding.cell), finding.range.start.line,
                  finding.range.start.column, finding.message);
  if (!finding.help.empty()) text += "\nhelp: " + finding.help;
  for (const diagnostics::Related& place : finding.related) {
    text += fmt::format("\n{}:{}{}:{}: {}", place.file, cell_text(place.cell),
                        place.range.start.line, place.range.start.column, place.message);
  }
  return text;
}

std::string suite_text(const std::string& file, const Suite& suite) {
  const std::size_t tests = suite.failures.size() + suite.errors.size();
  std::string text = fmt::format("  <testsuite name=\"{}\" {}>\n", escaped(file),
                                 counts(tests, suite.failures.size(), suite.errors.size()));
  const std::string closing = "    </testcase>\n";
  for (const FileError* error : suite.errors) {
    text += fmt::format("    <testcase name=\"can be checked\" classname=\"{}\" time=\"0\">\n",
                        escaped(file));
    text += fmt::format("      <error type=\"error\" message=\"{}\"/>\n", escaped(error->message));
    text += closing;
  }
  for (const Diagnostic* finding : suite.failures) {
    text += fmt::format("    <testcase name=\"{} {} at {}{}:{}\" classname=\"{}\" time=\"0\">\n",
                        escaped(finding->code), escaped(finding->rule), cell_text(finding->cell),
                        finding->range.start.line, finding->range.start.column, escaped(file));
    text += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                        name_of(finding->severity), escaped(finding->message),
                        escaped(body_of(*finding)));
    text += closing;
  }
  return text + "  </testsuite>\n";
}

}  // namespace

std::string write_junit(const Report& report, Style) {
  std::map<std::string, Suite> suites;
  for (const Diagnostic& finding : report.diagnostics) {
    suites[finding.file].failures.push_back(&finding);
  }
  for (const FileError& error : report.errors) suites[error.file].errors.push_back(&error);
  std::string text;
  for (const auto& [file, suite] : suites) text += suite_text(file, suite);
  if (suites.empty()) {
    text = fmt::format("  <testsuite name=\"vramlint\" {}>\n", counts(1, 0, 0)) +
           "    <testcase name=\"no findings\" classname=\"vramlint\" time=\"0\"/>\n"
           "  </testsuite>\n";
  }
  const std::size_t failures = report.diagnostics.size();
  const std::size_t errors = report.errors.size();
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
         fmt::format("<testsuites name=\"vramlint\" {}>\n",
                     counts(suites.empty() ? 1 : failures + errors, failures, errors)) +
         text + "</testsuites>\n";
}

}  // namespace vramlint::output
