// SPDX-License-Identifier: MIT
//
// Fixes of anything: a text that parsed still does, a second run changes nothing, and what is
// outside of the edits stays as it is, byte by byte. A form feed cuts the input into files, of
// which the first is the entry.
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "analyze.h"
#include "diagnostics/suppressions.h"
#include "fix/edits.h"
#include "fix/faults.h"
#include "fix/fixer.h"
#include "line_mutator.h"

namespace {

using vramlint::Result;
using vramlint::diagnostics::Diagnostic;
using vramlint::fix::Texts;
using vramlint::text::Source;

constexpr std::array<const char*, 2> paths = {"main.py", "a.py"};

const vramlint::knowledge::Knowledge& tables() { return vramlint::knowledge::Knowledge::builtin(); }

class Input final : public vramlint::text::Files {
 public:
  explicit Input(const Texts& texts) {
    for (const auto& [path, bytes] : texts) {
      sources_[path] =
          std::make_shared<const Source>(path, bytes, vramlint::text::Language::python);
    }
  }

  bool is_file(const std::string& path) const override { return sources_.contains(path); }
  bool is_folder(const std::string& path) const override { return path == "."; }
  Result<std::shared_ptr<const Source>> open(const std::string& path) override {
    const auto found = sources_.find(path);
    if (found != sources_.end()) return found->second;
    return vramlint::Error{path, 0, "there is no such file", ""};
  }

 private:
  std::map<std::string, std::shared_ptr<const Source>> sources_;
};

/// What stands between the edits of one fix is the same before and after.
void require_untouched(const Diagnostic& finding, const Texts& texts) {
  for (const char* path : paths) {
    vramlint::fix::FileEdits edits;
    const std::string& before = texts.at(path);
    std::size_t removed = 0;
    std::size_t added = 0;
    std::size_t first = before.size();
    for (const vramlint::diagnostics::Edit& edit : finding.fix->edits) {
      if (edit.file != path) continue;
      if (edit.span.begin > edit.span.end || edit.span.end > before.size()) std::abort();
      if (!edits.add(edit)) std::abort();
      removed += edit.span.size();
      added += vramlint::fix::with_line_ends_of(before, edit.span.begin, edit.text).size();
      first = std::min<std::size_t>(first, edit.span.begin);
    }
    const std::string after = edits.made_of(before);
    if (after.size() != before.size() - removed + added) std::abort();
    if (after.compare(0, first, before, 0, first) != 0) std::abort();
  }
}

class Program final : public vramlint::fix::Subject {
 public:
  explicit Program(Texts texts) : texts_(std::move(texts)) {}

  std::vector<Diagnostic> findings(const Texts& changed) override {
    const Texts now = with(changed);
    Input files(now);
    vramlint::Workspace workspace(tables(), files);
    vramlint::AnalyzeOptions options;
    options.target = vramlint::knowledge::default_target(tables());
    std::vector<Diagnostic> found = vramlint::analyze(paths[0], workspace, options).diagnostics;
    for (const Diagnostic& finding : found) {
      if (finding.fix) require_untouched(finding, now);
    }
    return found;
  }

  std::shared_ptr<const Source> original(const std::string& file) override {
    const auto found = texts_.find(file);
    if (found == texts_.end()) return nullptr;
    return std::make_shared<const Source>(file, found->second, vramlint::text::Language::python);
  }

  Texts with(const Texts& changed) const {
    Texts now = changed;
    now.insert(texts_.begin(), texts_.end());
    return now;
  }

 private:
  Texts texts_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Texts texts;
  for (const char* path : paths) {
    const size_t cut = std::min(bytes.find('\f'), bytes.size());
    texts[path] = std::string(bytes.substr(0, cut));
    bytes.remove_prefix(std::min(cut + 1, bytes.size()));
  }
  vramlint::fix::Options options;
  options.with_unsafe = size % 2 == 0;
  Program program(texts);
  const vramlint::fix::Outcome outcome = vramlint::fix::make_fixes(program, options);
  for (const auto& [path, text] : outcome.texts) {
    const size_t before = vramlint::fix::syntax_faults(texts.at(path));
    if (before == 0 && vramlint::fix::syntax_faults(text) > 0) std::abort();
  }
  if (!outcome.settled || outcome.texts.empty()) return 0;
  Program fixed(program.with(outcome.texts));
  if (!vramlint::fix::make_fixes(fixed, options).texts.empty()) std::abort();
  return 0;
}
