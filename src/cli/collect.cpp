// SPDX-License-Identifier: MIT
#include "cli/collect.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "diagnostics/merge.h"
#include "support/paths.h"

namespace vramlint::cli {

namespace {

using diagnostics::Diagnostic;
using Sources = std::map<std::string, std::shared_ptr<const text::Source>, std::less<>>;

class Collector {
 public:
  Collector(config::Projects& projects, const knowledge::Knowledge& knowledge, DiskFiles& files)
      : projects_(projects), knowledge_(knowledge), files_(files) {}

  void add_entries(const std::vector<LintJob>& jobs, std::vector<Linted>& linted) {
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

  void apply_selection_and_level() {
    for (Diagnostic& finding : findings_) {
      const config::Project& project = project_of(finding.file);
      if (!project.selection.allows(finding)) continue;
      gravest_ = gravest_ ? std::max(*gravest_, finding.severity) : finding.severity;
      if (finding.severity >= project.level) report_.diagnostics.push_back(std::move(finding));
    }
  }

  void attach_sources() {
    for (const Diagnostic& finding : report_.diagnostics) {
      attach(finding.file);
      for (const diagnostics::Related& place : finding.related) attach(place.file);
    }
  }

  Collected result() && { return {std::move(report_), gravest_}; }

 private:
  const config::Project& project_of(const std::string& file) {
    return projects_.of(parent_of(file));
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

  void attach(const std::string& file) {
    if (source_of(file) != nullptr) report_.sources.emplace(file, sources_.at(file));
  }

  config::Projects& projects_;
  const knowledge::Knowledge& knowledge_;
  DiskFiles& files_;
  std::set<std::string, std::less<>> linted_files_;
  std::set<std::string, std::less<>> suppressing_files_;
  Sources sources_;
  std::vector<Diagnostic> findings_;
  output::Report report_;
  std::optional<diagnostics::Severity> gravest_;
};

}  // namespace

Collected collect(const std::vector<LintJob>& jobs, std::vector<Linted> linted,
                  config::Projects& projects, const knowledge::Knowledge& knowledge,
                  DiskFiles& files) {
  Collector collector(projects, knowledge, files);
  collector.add_entries(jobs, linted);
  collector.drop_excluded();
  collector.apply_suppressions();
  collector.apply_selection_and_level();
  collector.attach_sources();
  return std::move(collector).result();
}

}  // namespace vramlint::cli
