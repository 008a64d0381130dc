// SPDX-License-Identifier: MIT
#include "lsp/root.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "config/layers.h"
#include "config/project_files.h"
#include "lint/interest.h"
#include "support/paths.h"
#include "text/source.h"

namespace vramlint::lsp {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t max_baseline_bytes = 256 << 20;

}  // namespace

Root::Root(std::string folder, config::Settings settings, const knowledge::Knowledge& knowledge,
           Texts& texts)
    : folder_(std::move(folder)),
      settings_(std::move(settings)),
      knowledge_(knowledge),
      texts_(texts) {
  read_configuration();
}

std::string Root::shown(const std::string& absolute) const { return shown_path(absolute, folder_); }

std::string Root::absolute(const std::string& shown) const {
  return config::absolute_path(shown, folder_);
}

void Root::read_configuration() {
  config::ProjectsOptions options;
  options.working_directory = folder_;
  options.command_line = settings_;
  projects_ = std::make_unique<config::Projects>(std::move(options), knowledge_);
  interests_.clear();
  baseline_.reset();
  baseline_error_.reset();
  narrowing_ = {folder_, folder_, nullptr, false, {}};
  const std::string named = projects_->of(".").settings.baseline.value_or("");
  baseline_path_ = named.empty() ? "" : absolute(named);
  if (named.empty()) return;
  const std::string name = shown(baseline_path_);
  const Result<std::string> text = text::read_file(baseline_path_, max_baseline_bytes);
  if (!text) {
    baseline_error_ = Error{name, 0, "the baseline " + text.error().message, ""};
    return;
  }
  Result<diagnostics::Baseline> baseline = diagnostics::Baseline::parse(name, text.value());
  if (!baseline) {
    baseline_error_ = baseline.error();
    return;
  }
  baseline_ = std::move(baseline).value();
  narrowing_.baseline = &*baseline_;
  narrowing_.baseline_folder = parent_of(baseline_path_);
}

std::optional<Error> Root::configuration_error() const {
  return projects_->error() ? projects_->error() : baseline_error_;
}

bool Root::is_configured_by(const std::string& absolute) const {
  return absolute == baseline_path_ || config::may_configure(base_name(absolute));
}

void Root::open(const std::string& absolute) {
  const std::string path = shown(absolute);
  entries_[path].files = nullptr;
  report_.reset();
}

void Root::close(const std::string& absolute) {
  entries_.erase(shown(absolute));
  report_.reset();
}

void Root::forget(const std::string& absolute) {
  bool matters = report_ && report_->sources.contains(shown(absolute));
  for (auto& [path, entry] : entries_) {
    if (entry.files == nullptr || !entry.files->asked().contains(absolute)) continue;
    entry.files = nullptr;
    matters = true;
  }
  if (matters) report_.reset();
}

void Root::reload() {
  read_configuration();
  for (auto& [path, entry] : entries_) entry.files = nullptr;
  report_.reset();
}

void Root::reload(config::Settings settings) {
  settings_ = std::move(settings);
  reload();
}

const rules::Interest& Root::interest_of(const config::Project& project) {
  const auto [found, fresh] = interests_.try_emplace(&project);
  if (fresh) found->second = lint::interest_of(project, std::nullopt, knowledge_);
  return found->second;
}

const config::Project& Root::project_of(const std::string& absolute) {
  return projects_->of(parent_of(shown(absolute)));
}

/// The open programs that the configuration does not leave out.
std::vector<lint::Job> Root::jobs() {
  std::vector<lint::Job> jobs;
  for (const auto& [path, entry] : entries_) {
    if (projects_->excludes(path)) continue;
    const config::Project& project = projects_->of(parent_of(path));
    jobs.push_back({path, &project, &interest_of(project)});
  }
  return jobs;
}

const output::Report& Root::report() {
  if (report_) return *report_;
  const std::vector<lint::Job> asked = jobs();
  std::vector<lint::Linted> linted;
  for (const lint::Job& job : asked) {
    Entry& entry = entries_.at(job.path);
    if (entry.files == nullptr) {
      entry.files = std::make_unique<Snapshot>(texts_, folder_);
      Workspace workspace(knowledge_, *entry.files, kept_);
      entry.linted = lint::lint_entry(job, workspace);
      entry.files->release_texts();
    }
    linted.push_back(entry.linted);
  }
  Snapshot files(texts_, folder_);
  report_ =
      lint::collect(asked, std::move(linted), *projects_, knowledge_, files, narrowing_).report;
  texts_.shrink();
  kept_.forget_old();
  return *report_;
}

std::vector<diagnostics::Diagnostic> Root::findings_with(
    const std::map<std::string, std::string, std::less<>>& changed) {
  Snapshot files(texts_, folder_);
  for (const auto& [path, text] : changed) {
    const Result<std::shared_ptr<const text::Source>> before = texts_.open(absolute(path));
    if (before) files.place(path, text, before.value()->language());
  }
  const std::vector<lint::Job> asked = jobs();
  std::vector<lint::Linted> linted;
  Workspace workspace(knowledge_, files, kept_);
  for (const lint::Job& job : asked) {
    const Entry& entry = entries_.at(job.path);
    const bool is_old =
        entry.files == nullptr || std::ranges::any_of(changed, [&](const auto& each) {
          return entry.files->asked().contains(absolute(each.first));
        });
    linted.push_back(is_old ? lint::lint_entry(job, workspace) : entry.linted);
  }
  return lint::collect(asked, std::move(linted), *projects_, knowledge_, files, narrowing_)
      .report.diagnostics;
}

std::string folder_around(const std::string& absolute) {
  const std::string own = parent_of(absolute);
  for (std::string folder = own; folder != "."; folder = parent_of(folder)) {
    const auto holds = [&](std::string_view name) {
      std::error_code failed;
      return fs::exists((folder == "/" ? "/" : folder + "/") + std::string(name), failed);
    };
    if (holds(config::settings_file) || std::ranges::any_of(config::project_marks(), holds)) {
      return folder;
    }
    if (folder == parent_of(folder)) break;
  }
  return own;
}

}  // namespace vramlint::lsp
