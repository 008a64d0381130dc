// SPDX-License-Identifier: MIT
#include "case_runner.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "analyze.h"
#include "diagnostics/suppressions.h"

namespace vramlint::pages {
namespace {

using diagnostics::Diagnostic;

/// The files of a case as the analyzer sees them.
class MemoryFiles final : public text::Files {
 public:
  explicit MemoryFiles(const std::vector<CaseFile>& files) {
    for (const CaseFile& file : files) {
      sources_[file.path] = std::make_shared<const text::Source>(
          file.path, file.text, text::language_of(file.path, file.text));
    }
  }

  bool is_file(const std::string& path) const override { return sources_.contains(path); }

  bool is_folder(const std::string& path) const override {
    if (path == ".") return true;
    const auto below = sources_.lower_bound(path + "/");
    return below != sources_.end() && below->first.starts_with(path + "/");
  }

  Result<std::shared_ptr<const text::Source>> open(const std::string& path) override {
    const auto found = sources_.find(path);
    if (found != sources_.end()) return found->second;
    Error error;
    error.path = path;
    error.message = "there is no such file";
    return error;
  }

  const std::map<std::string, std::shared_ptr<const text::Source>>& all() const { return sources_; }

 private:
  std::map<std::string, std::shared_ptr<const text::Source>> sources_;
};

/// `torch 2.8`, `torch >=2.4,<2.10`, `python 3.14`, `windows`; false for other words.
bool apply_target(const std::string& words, const knowledge::Knowledge& knowledge,
                  knowledge::Target& target) {
  const std::size_t space = std::min(words.find(' '), words.size());
  const std::string first = words.substr(0, space);
  const std::string rest = words.substr(std::min(space + 1, words.size()));
  if (first == "torch") {
    Result<std::vector<knowledge::Version>> named = knowledge::releases_named(rest, knowledge);
    if (!named) return false;
    target.torch = std::move(named).value();
    target.torch_text = rest;
    target.torch_stated = true;
    return true;
  }
  if (first == "python") {
    const std::optional<knowledge::Version> version = knowledge::parse_version(rest);
    if (!version) return false;
    target.python = {*version};
    target.python_text = rest;
    return true;
  }
  const std::optional<knowledge::Platform> platform = knowledge::parse_platform(words);
  if (platform) target.platform = *platform;
  return platform.has_value();
}

struct Outcome {
  std::vector<Diagnostic> findings;
  std::vector<std::string> faults;
};

Outcome analyzed(const PageCase& page_case, MemoryFiles& files,
                 const knowledge::Knowledge& knowledge) {
  Outcome outcome;
  AnalyzeOptions options;
  options.target = knowledge::default_target(knowledge);
  for (const std::string& words : page_case.targets) {
    if (apply_target(words, knowledge, options.target)) continue;
    outcome.faults.push_back("no target `" + words + "`");
  }
  Workspace workspace(knowledge, files);
  Analysis analysis = analyze(page_case.entry, workspace, options);
  for (const diagnostics::FileError& error : analysis.errors) {
    outcome.faults.push_back(error.file + ": " + error.message);
  }
  const diagnostics::Selection everything;
  std::vector<diagnostics::SuppressingFile> suppressing;
  for (const auto& [path, source] : files.all()) {
    const bool judged = path == page_case.entry;
    suppressing.push_back({source.get(), judged ? &everything : nullptr});
  }
  outcome.findings =
      diagnostics::apply_suppressions(std::move(analysis.diagnostics), suppressing, knowledge);
  std::erase_if(outcome.findings, [&](const Diagnostic& finding) {
    return finding.severity == diagnostics::Severity::note && !page_case.with_notes;
  });
  return outcome;
}

Place place_of(const Diagnostic& finding, MemoryFiles& files) {
  Place place{finding.file, finding.range.start.line, finding.range.start.column,
              finding.range.end.column, finding.rule};
  if (finding.range.end.line == finding.range.start.line) return place;
  const auto source = files.open(finding.file);
  if (!source) return place;
  const text::Source& text = *source.value();
  const auto length = static_cast<uint32_t>(text.line(place.line).size());
  place.end = text.position_of(text.line_begin(place.line) + length).column;
  return place;
}

/// The place in the page, and in the file that the analyzer saw.
std::string shown(const Place& place, const PageCase& page_case) {
  uint32_t page_line = page_case.line;
  for (const CaseFile& file : page_case.files) {
    const bool is_there = file.path == place.path && place.line <= file.page_lines.size();
    if (is_there && place.line > 0) page_line = file.page_lines[place.line - 1];
  }
  return "line " + std::to_string(page_line) + " of the page (" + place.path + ":" +
         std::to_string(place.line) + "), columns " + std::to_string(place.begin) + " to " +
         std::to_string(place.end) + ", " + place.rule;
}

/// Edits may be given in any order; one that overlaps an earlier one waits for another round, which
/// a case does not have.
std::string with_edits(const CaseFile& file, const std::vector<Diagnostic>& findings) {
  std::vector<const diagnostics::Edit*> edits;
  for (const Diagnostic& finding : findings) {
    if (!finding.fix || finding.fix->applicability != diagnostics::Applicability::safe) continue;
    for (const diagnostics::Edit& edit : finding.fix->edits) {
      if (edit.file == file.path) edits.push_back(&edit);
    }
  }
  std::stable_sort(edits.begin(), edits.end(),
                   [](const auto* left, const auto* right) { return left->span < right->span; });
  std::string made;
  uint32_t at = 0;
  for (const diagnostics::Edit* edit : edits) {
    if (edit->span.begin < at || edit->span.end > file.text.size()) continue;
    made += file.text.substr(at, edit->span.begin - at) + edit->text;
    at = edit->span.end;
  }
  return made + file.text.substr(at);
}

}  // namespace

std::vector<std::string> run_case(const PageCase& page_case,
                                  const knowledge::Knowledge& knowledge) {
  MemoryFiles files(page_case.files);
  Outcome outcome = analyzed(page_case, files, knowledge);
  std::vector<std::string> faults = std::move(outcome.faults);
  std::multiset<Place> missing(page_case.expected.begin(), page_case.expected.end());
  for (const Diagnostic& finding : outcome.findings) {
    const Place place = place_of(finding, files);
    const auto found = missing.find(place);
    if (found != missing.end()) {
      missing.erase(found);
    } else {
      faults.push_back("reported, not expected: " + shown(place, page_case) + ": " +
                       finding.message);
    }
  }
  for (const Place& place : missing) {
    faults.push_back("expected, not reported: " + shown(place, page_case));
  }
  return faults;
}

std::vector<std::string> run_fix(const PageCase& page_case, const knowledge::Knowledge& knowledge) {
  MemoryFiles files(page_case.files);
  const Outcome before = analyzed(page_case, files, knowledge);
  std::vector<std::string> faults;
  PageCase after = page_case;
  for (CaseFile& file : after.files) file.text = with_edits(file, before.findings);
  for (const CaseFile& wanted : page_case.fixed) {
    const auto got = std::find_if(after.files.begin(), after.files.end(),
                                  [&](const CaseFile& file) { return file.path == wanted.path; });
    if (got == after.files.end()) {
      faults.push_back("the case has no file " + wanted.path);
    } else if (got->text != wanted.text) {
      faults.push_back(wanted.path + " after its safe fixes:\n" + got->text + "instead of:\n" +
                       wanted.text);
    }
  }
  MemoryFiles fixed_files(after.files);
  for (const Diagnostic& finding : analyzed(after, fixed_files, knowledge).findings) {
    const bool was_expected =
        std::any_of(page_case.expected.begin(), page_case.expected.end(),
                    [&](const Place& place) { return place.rule == finding.rule; });
    if (was_expected) faults.push_back("still there after the fix: " + finding.message);
  }
  return faults;
}

}  // namespace vramlint::pages
