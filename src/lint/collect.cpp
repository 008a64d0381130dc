// SPDX-License-Identifier: MIT
#include "lint/collect.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "diagnostics/fingerprint.h"
#include "diagnostics/merge.h"
#include "diagnostics/suppressions.h"
#include "support/paths.h"
#include "text/utf8.h"

namespace vramlint::lint {

namespace {

using diagnostics::Diagnostic;
using Sources = std::map<std::string, std::shared_ptr<const text::Source>, std::less<>>;

class Collector {
 public:
  Collector(config::Projects& projects, const knowledge::Knowledge& knowledge, text::Files& files,
            const Narrowing& narrowing)
      : projects_(projects), knowledge_(knowledge), files_(files), narrowing_(narrowing) {}

  void add_entries(const std::vector<Job>& jobs, std::vector<Linted>& linted) {
    std::vector<std::vector<Diagnostic>> by_entry;
    for (std::size_t i = 0; i < linted.size(); ++i) {
      linted_files_.insert(jobs[i].path);
      if (linted[i].may_hold_suppressions) suppressing_files_.insert(jobs[i].path);
      by_entry.push_back(std::move(linted[i].diagnostics));
      std::vector<diagnostics::FileError>& errors = linted[i].errors;
      std::move(errors.begin(), errors.end(), std::back_inserter(report_.errors));
    }
    findings_ = diagnostics::merge_findings(std::move(by_entry));
    report_.errors = diagnostics::merge_errors(std::move(report_.errors));
    report_.files = jobs.size();
  }

  void drop_excluded() {
    std::erase_if(findings_, [&](const Diagnostic& finding) {
      if (linted_files_.contains(finding.file)) return false;
      return projects_.excludes(finding.file);
    });
  }

  void apply_suppressions() {
    std::set<std::string, std::less<>> paths = suppressing_files_;
    for (const Diagnostic& finding : findings_) paths.insert(finding.file);
    std::vector<diagnostics::SuppressingFile> files;
    for (const std::string& path : paths) {
      const text::Source* source = source_of(path);
      if (source == nullptr) continue;
      const bool linted = linted_files_.contains(path);
      files.push_back({source, linted ? &project_of(path).selection : nullptr});
    }
    findings_ = diagnostics::apply_suppressions(std::move(findings_), files, knowledge_);
  }

  void apply_selection() {
    std::erase_if(findings_, [&](const Diagnostic& finding) {
      return !project_of(finding.file).selection.allows(finding) || projects_.ignores(finding);
    });
    for (Diagnostic& finding : findings_) {
      finding.severity = projects_.severity_of(finding);
      std::string line = diagnostics::line_of_finding(finding, source_of(finding.file));
      known_.push_back({name_in_baseline(finding.file), finding.code, std::move(line)});
    }
  }

  /// Entries of the baseline count all findings, whatever else is left out.
  void leave_out_known() {
    left_out_.resize(findings_.size());
    if (narrowing_.baseline == nullptr) return;
    diagnostics::BaselineQuestions questions;
    questions.state_of = [this](const std::string& file) { return state_of(file); };
    questions.was_looked_for = [this](const diagnostics::KnownFinding& finding) {
      const knowledge::RulePage* page = knowledge_.page(finding.code);
      if (page == nullptr) return true;
      const config::Project& project = project_of(name_here(finding.file));
      return project.selection.allows(page->name, page->code, page->family);
    };
    match_ = diagnostics::match_baseline(*narrowing_.baseline, known_, questions);
    if (!narrowing_.shows_known) left_out_ = match_.known;
  }

  void leave_out_unchanged() {
    if (!narrowing_.concerns) return;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      if (!narrowing_.concerns(in_lines_of_file(findings_[i]))) left_out_[i] = true;
    }
  }

  void apply_level() {
    std::vector<diagnostics::KnownFinding> shown;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      if (left_out_[i]) continue;
      Diagnostic& finding = findings_[i];
      gravest_ = gravest_ ? std::max(*gravest_, finding.severity) : finding.severity;
      if (finding.severity < project_of(finding.file).level) continue;
      report_.diagnostics.push_back(std::move(finding));
      shown.push_back(std::move(known_[i]));
    }
    known_ = std::move(shown);
  }

  void attach_sources_and_rules() {
    std::vector<std::string> lines;
    std::set<std::string_view> codes;
    for (std::size_t i = 0; i < report_.diagnostics.size(); ++i) {
      const Diagnostic& finding = report_.diagnostics[i];
      attach(finding.file);
      for (const diagnostics::Related& place : finding.related) attach(place.file);
      lines.push_back(known_[i].line);
      codes.insert(finding.code);
    }
    diagnostics::set_fingerprints(report_.diagnostics, lines);
    for (const std::string_view code : codes) {
      const knowledge::RulePage* page = knowledge_.page(code);
      if (page != nullptr) report_.rules.push_back(page);
    }
  }

  Collected result() && {
    return {std::move(report_), gravest_, std::move(known_), std::move(match_)};
  }

 private:
  const config::Project& project_of(const std::string& file) {
    return projects_.of(parent_of(file));
  }

  /// The same finding with the lines that git knows: those of the file, not of its cells.
  Diagnostic in_lines_of_file(const Diagnostic& finding) {
    const auto move = [this](const std::string& file, std::optional<int>& cell,
                             diagnostics::Range& range) {
      const text::Source* source = cell ? source_of(file) : nullptr;
      if (source == nullptr) return;
      for (text::Position* place : {&range.start, &range.end}) {
        place->line =
            source->stored_line_of(source->line_begin(source->line_in(cell, place->line)));
      }
      cell.reset();
    };
    Diagnostic moved = finding;
    move(moved.file, moved.cell, moved.range);
    for (diagnostics::Related& place : moved.related) move(place.file, place.cell, place.range);
    return moved;
  }

  /// Null when the file can't be read.
  const text::Source* source_of(const std::string& file) {
    const auto known = sources_.find(file);
    if (known != sources_.end()) return known->second.get();
    Result<std::shared_ptr<const text::Source>> opened = files_.open(file);
    std::shared_ptr<const text::Source> source;
    if (opened) source = std::move(opened).value();
    return sources_.emplace(file, std::move(source)).first->second.get();
  }

  /// A file as the baseline calls it, and the other way round.
  std::string name_in_baseline(const std::string& file) const {
    if (narrowing_.baseline_folder == narrowing_.working_directory) return text::valid_utf8(file);
    const std::string absolute = config::absolute_path(file, narrowing_.working_directory);
    return text::valid_utf8(shown_path(absolute, narrowing_.baseline_folder));
  }

  std::string name_here(const std::string& file) const {
    const std::string absolute = config::absolute_path(file, narrowing_.baseline_folder);
    return shown_path(absolute, narrowing_.working_directory);
  }

  diagnostics::BaselineFile state_of(const std::string& file) {
    using diagnostics::BaselineFile;
    if (names_in_baseline_.empty()) {
      for (const std::string& each : linted_files_) {
        names_in_baseline_.insert(name_in_baseline(each));
      }
    }
    if (names_in_baseline_.contains(file)) return BaselineFile::checked;
    const std::string here = name_here(file);
    const bool is_there = files_.is_file(here) && !projects_.excludes(here);
    return is_there ? BaselineFile::elsewhere : BaselineFile::gone;
  }

  void attach(const std::string& file) {
    if (source_of(file) != nullptr) report_.sources.emplace(file, sources_.at(file));
  }

  config::Projects& projects_;
  const knowledge::Knowledge& knowledge_;
  text::Files& files_;
  const Narrowing& narrowing_;
  std::set<std::string, std::less<>> linted_files_;
  std::set<std::string, std::less<>> names_in_baseline_;  ///< of those
  std::set<std::string, std::less<>> suppressing_files_;
  Sources sources_;
  std::vector<Diagnostic> findings_;
  std::vector<diagnostics::KnownFinding> known_;  ///< the same, as a baseline knows them
  std::vector<bool> left_out_;
  diagnostics::BaselineMatch match_;
  output::Report report_;
  std::optional<diagnostics::Severity> gravest_;
};

}  // namespace

Collected collect(const std::vector<Job>& jobs, std::vector<Linted> linted,
                  config::Projects& projects, const knowledge::Knowledge& knowledge,
                  text::Files& files, const Narrowing& narrowing) {
  Collector collector(projects, knowledge, files, narrowing);
  collector.add_entries(jobs, linted);
  collector.drop_excluded();
  collector.apply_suppressions();
  collector.apply_selection();
  collector.leave_out_known();
  collector.leave_out_unchanged();
  collector.apply_level();
  collector.attach_sources_and_rules();
  return std::move(collector).result();
}

}  // namespace vramlint::lint
