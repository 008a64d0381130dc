// SPDX-License-Identifier: MIT
//
// Python source, all the way from bytes to findings. A form feed cuts the input into files, so that
// imports between them are followed too; the first file is the entry, and is looked at twice.
#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "analyze.h"
#include "diagnostics/suppressions.h"

namespace {

using vramlint::Result;
using vramlint::text::Source;

constexpr std::array<const char*, 4> paths = {"main.py", "a.py", "b/__init__.py", "b/a.py"};

class Input final : public vramlint::text::Files {
 public:
  explicit Input(std::string_view bytes) {
    for (const char* path : paths) {
      const size_t cut = std::min(bytes.find('\f'), bytes.size());
      sources_[path] = std::make_shared<const Source>(path, std::string(bytes.substr(0, cut)),
                                                      vramlint::text::Language::python);
      bytes.remove_prefix(std::min(cut + 1, bytes.size()));
    }
  }

  bool is_file(const std::string& path) const override { return sources_.contains(path); }
  bool is_folder(const std::string& path) const override { return path == "." || path == "b"; }
  Result<std::shared_ptr<const Source>> open(const std::string& path) override {
    const auto found = sources_.find(path);
    if (found != sources_.end()) return found->second;
    return vramlint::Error{path, 0, "there is no such file", ""};
  }

 private:
  std::map<std::string, std::shared_ptr<const Source>> sources_;
};

/// Findings must lie inside their file.
void require_places(const vramlint::Analysis& analysis, Input& files) {
  for (const vramlint::diagnostics::Diagnostic& finding : analysis.diagnostics) {
    const auto source = files.open(finding.file);
    if (!source || finding.span.begin > finding.span.end) std::abort();
    if (finding.span.end > source.value()->bytes().size()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const vramlint::knowledge::Knowledge& tables = vramlint::knowledge::Knowledge::builtin();
  Input files({reinterpret_cast<const char*>(data), size});
  vramlint::Workspace workspace(tables, files);
  vramlint::AnalyzeOptions options;
  options.target = vramlint::knowledge::default_target(tables);
  options.prefilter = size % 2 == 0;
  const vramlint::Analysis first = vramlint::analyze(paths[0], workspace, options);
  require_places(first, files);
  require_places(vramlint::analyze(paths[3], workspace, options), files);
  const vramlint::Analysis again = vramlint::analyze(paths[0], workspace, options);
  if (again.diagnostics.size() != first.diagnostics.size()) std::abort();
  return 0;
}
