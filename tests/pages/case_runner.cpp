// SPDX-License-Identifier: MIT
#include "case_runner.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "analyze.h"
#include "diagnostics/suppressions.h"
#include "fix/faults.h"
#include "fix/fixer.h"
#include "frontends/notebook.h"
#include "support/paths.h"

namespace vramlint::pages {
namespace {

using diagnostics::Diagnostic;

/// The files of a case as the analyzer sees them.
class MemoryFiles final : public text::Files {
 public:
  explicit MemoryFiles(const std::vector<CaseFile>& files) {
    for (const CaseFile& file : files) {
      sources_[file.path] =
          frontends::source_of(file.path, file.text, text::language_of(file.path, file.text));
    }
  }

  bool is_file(const std::string& path) const override { return sources_.contains(path); }

  bool is_folder(const std::string& path) const override {
    if (path == ".") return true;
    const auto below = sources_.lower_bound(path + "/");
    return below != sources_.end() && below->first.starts_with(path + "/");
  }

  std::vector<std::string> names_in(const std::string& folder) const override {
    std::vector<std::string> names;
    for (const auto& [path, source] : sources_) {
      if (parent_of(path) == folder) names.emplace_back(base_name(path));
    }
    return names;
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
  Place place{
      finding.file, finding.range.start.line, finding.range.start.column, finding.range.end.column,
      finding.rule, finding.cell.value_or(0)};
  if (finding.range.end.line == finding.range.start.line) return place;
  const auto source = files.open(finding.file);
  if (!source) return place;
  const text::Source& text = *source.value();
  const uint32_t line = text.line_in(finding.cell, place.line);
  const auto length = static_cast<uint32_t>(text.line(line).size());
  place.end = text.position_of(text.line_begin(line) + length).column;
  return place;
}

/// The place in the page, and in the file that the analyzer saw.
std::string shown(const Place& place, const PageCase& page_case) {
  uint32_t page_line = page_case.line;
  for (const CaseFile& file : page_case.files) {
    const auto cell = static_cast<uint32_t>(place.cell);
    const bool has_cell = cell > 0 && cell <= file.cell_begins.size();
    const uint32_t line = place.line + (has_cell ? file.cell_begins[cell - 1] : 0);
    const bool is_there = file.path == place.path && line <= file.page_lines.size();
    if (is_there && line > 0) page_line = file.page_lines[line - 1];
  }
  return "line " + std::to_string(page_line) + " of the page (" + place.path + ":" +
         std::to_string(place.line) + "), columns " + std::to_string(place.begin) + " to " +
         std::to_string(place.end) + ", " + place.rule;
}

/// A case as the fixer sees it.
class CaseSubject final : public fix::Subject {
 public:
  CaseSubject(const PageCase& page_case, const knowledge::Knowledge& knowledge)
      : case_(page_case), knowledge_(knowledge), files_(page_case.files) {}

  std::vector<Diagnostic> findings(const fix::Texts& changed) override {
    const PageCase after = with(changed);
    MemoryFiles files(after.files);
    return analyzed(after, files, knowledge_).findings;
  }

  std::shared_ptr<const text::Source> original(const std::string& file) override {
    const auto found = files_.all().find(file);
    return found == files_.all().end() ? nullptr : found->second;
  }

  PageCase with(const fix::Texts& changed) const {
    PageCase after = case_;
    for (CaseFile& file : after.files) {
      const auto text = changed.find(file.path);
      if (text != changed.end()) file.text = text->second;
    }
    return after;
  }

 private:
  const PageCase& case_;
  const knowledge::Knowledge& knowledge_;
  MemoryFiles files_;
};

void check_again(const PageCase& after, const knowledge::Knowledge& knowledge,
                 const fix::Options& options, std::vector<std::string>& faults) {
  CaseSubject subject(after, knowledge);
  const fix::Outcome again = fix::make_fixes(subject, options);
  for (const auto& entry : again.texts) {
    faults.push_back(entry.first + " changes when it is fixed once more:\n" + entry.second);
  }
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
  fix::Options options;
  options.with_unsafe = page_case.with_unsafe_fixes;
  CaseSubject subject(page_case, knowledge);
  const fix::Outcome outcome = fix::make_fixes(subject, options);
  const PageCase after = subject.with(outcome.texts);
  std::vector<std::string> faults;
  for (const fix::LeftOut& left_out : outcome.left_out) {
    faults.push_back("a fix of " + left_out.finding.rule + " was left out: " + left_out.reason);
  }
  for (const CaseFile& wanted : page_case.fixed) {
    const auto got = std::find_if(after.files.begin(), after.files.end(),
                                  [&](const CaseFile& file) { return file.path == wanted.path; });
    if (got == after.files.end()) {
      faults.push_back("the case has no file " + wanted.path);
    } else if (got->text != wanted.text) {
      faults.push_back(wanted.path + " after its fixes:\n" + got->text + "instead of:\n" +
                       wanted.text);
    }
    const auto source =
        frontends::source_of(wanted.path, wanted.text, text::language_of(wanted.path, wanted.text));
    const bool is_python = text::holds_python(source->language());
    if (is_python && fix::syntax_faults(source->program()) > 0) {
      faults.push_back(wanted.path + " does not parse");
    }
  }
  for (const Diagnostic& finding : outcome.remaining) {
    const bool was_expected =
        std::any_of(page_case.expected.begin(), page_case.expected.end(),
                    [&](const Place& place) { return place.rule == finding.rule; });
    if (was_expected) faults.push_back("still there after the fix: " + finding.message);
  }
  check_again(after, knowledge, options, faults);
  return faults;
}

}  // namespace vramlint::pages
