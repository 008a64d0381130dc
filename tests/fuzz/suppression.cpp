// SPDX-License-Identifier: MIT
//
// Comments that silence findings: reading them, matching them with a finding on every line, and the
// fixes for those that silence nothing.
#include <cstdlib>
#include <string>

#include "diagnostics/suppressions.h"
#include "knowledge/knowledge.h"

namespace {

using namespace vramlint;

/// A finding of the first rule on each of the first lines.
std::vector<diagnostics::Diagnostic> findings_in(const text::Source& source,
                                                 const knowledge::RulePage& page) {
  std::vector<diagnostics::Diagnostic> findings;
  for (uint32_t line = 1; line <= std::min(source.line_count(), 50u); line += 2) {
    diagnostics::Diagnostic made;
    made.rule = page.name;
    made.code = page.code;
    made.family = page.family;
    made.file = source.path();
    made.range = {{line, 1}, {line, 2}};
    findings.push_back(made);
  }
  return findings;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const knowledge::Knowledge& tables = knowledge::Knowledge::builtin();
  const text::Source source("a.py", std::string(reinterpret_cast<const char*>(data), size),
                            text::Language::python);
  const auto selection = diagnostics::Selection::make({"ALL"}, {}, tables);
  const std::vector<diagnostics::SuppressingFile> files = {
      {&source, selection ? &selection.value() : nullptr}};
  const std::vector<diagnostics::Diagnostic> left =
      diagnostics::apply_suppressions(findings_in(source, tables.pages().front()), files, tables);
  for (const diagnostics::Diagnostic& finding : left) {
    if (!finding.fix) continue;
    for (const diagnostics::Edit& edit : finding.fix->edits) {
      if (edit.span.begin > edit.span.end || edit.span.end > size) std::abort();
    }
  }
  return 0;
}
