// SPDX-License-Identifier: MIT
//
// The prefilter's no: where it expects nothing of any file of a project, a run without it finds
// nothing that is shown by default. A form feed cuts the input into files, each of them an entry.
// Python with faults in its syntax is passed over: nothing of it ever runs.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include "analyze.h"
#include "analyze/workspace.h"
#include "fix/faults.h"
#include "input_files.h"
#include "line_mutator.h"
#include "lint/interest.h"
#include "require.h"

namespace {

using vramlint::diagnostics::Diagnostic;
using vramlint::knowledge::Knowledge;
using Reach = vramlint::frontends::Closure::Reach;

constexpr std::array<const char*, 3> paths = {"main.py", "a.py", "b/__init__.py"};

const vramlint::AnalyzeOptions& options() {
  static const vramlint::AnalyzeOptions made = [] {
    const Knowledge& tables = Knowledge::builtin();
    vramlint::config::Project project;
    project.selection = vramlint::diagnostics::Selection::make({}, {}, tables).value();
    vramlint::AnalyzeOptions each;
    each.target = vramlint::knowledge::default_target(tables);
    each.interest = vramlint::lint::interest_of(project, std::nullopt, tables);
    each.prefilter = false;
    return each;
  }();
  return made;
}

bool is_shown(const Diagnostic& finding) {
  const auto pages = Knowledge::builtin().pages();
  const auto page = std::ranges::find(pages, finding.code, &vramlint::knowledge::RulePage::code);
  vramlint::fuzz::require(page != pages.end());
  return options().interest.in(static_cast<size_t>(page - pages.begin()), finding.severity);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  vramlint::fuzz::InputFiles files({reinterpret_cast<const char*>(data), size}, paths);
  vramlint::Workspace workspace(Knowledge::builtin(), files);
  const vramlint::AnalyzeOptions& full = options();
  for (const char* path : paths) {
    const auto source = files.open(path);
    if (vramlint::fix::syntax_faults(source.value()->bytes()) > 0) return 0;
    const Reach reach = workspace.survey().closures().ask(path, full).reach;
    if (reach != Reach::nothing) return 0;
  }
  for (const char* path : paths) {
    for (const Diagnostic& finding : vramlint::analyze(path, workspace, full).diagnostics) {
      if (!is_shown(finding)) continue;
      std::fprintf(stderr, "%s:%u: %s %s\n", finding.file.c_str(), finding.range.start.line,
                   finding.code.c_str(), finding.message.c_str());
      std::abort();
    }
  }
  return 0;
}
