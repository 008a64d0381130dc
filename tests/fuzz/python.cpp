// SPDX-License-Identifier: MIT
//
// Python source, all the way from bytes to findings. A form feed cuts the input into files, so that
// imports between them are followed too; the first file is the entry, and is looked at twice.
#include <array>

#include "analyze.h"
#include "input_files.h"
#include "line_mutator.h"
#include "require.h"

namespace {

using vramlint::fuzz::InputFiles;
using vramlint::fuzz::require;

constexpr std::array<const char*, 4> paths = {"main.py", "a.py", "b/__init__.py", "b/a.py"};

/// Findings must lie inside their file.
void require_places(const vramlint::Analysis& analysis, InputFiles& files) {
  for (const vramlint::diagnostics::Diagnostic& finding : analysis.diagnostics) {
    const auto source = files.open(finding.file);
    require(source && finding.span.begin <= finding.span.end);
    require(finding.span.end <= source.value()->bytes().size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const vramlint::knowledge::Knowledge& tables = vramlint::knowledge::Knowledge::builtin();
  InputFiles files({reinterpret_cast<const char*>(data), size}, paths);
  vramlint::Workspace workspace(tables, files);
  vramlint::AnalyzeOptions options;
  options.target = vramlint::knowledge::default_target(tables);
  options.prefilter = size % 2 == 0;
  const vramlint::Analysis first = vramlint::analyze(paths[0], workspace, options);
  require_places(first, files);
  require_places(vramlint::analyze(paths[3], workspace, options), files);
  const vramlint::Analysis again = vramlint::analyze(paths[0], workspace, options);
  require(again.diagnostics.size() == first.diagnostics.size());
  return 0;
}
