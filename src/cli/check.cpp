// SPDX-License-Identifier: MIT
// The one place where the stages are put in a row for files on a disk. It decides nothing about
// findings: finding files, reading configuration, linting, collecting and writing are a file each.
#include "cli/check.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/collect.h"
#include "cli/discover.h"
#include "cli/lint.h"
#include "cli/reports.h"
#include "cli/show.h"
#include "config/projects.h"
#include "diagnostics/merge.h"
#include "support/paths.h"
#include "vramlint_version.h"

namespace vramlint::cli {

namespace {

/// Analysis is linear up to far more than this, but nobody writes such a program by hand.
constexpr uint64_t max_file_bytes = 32 << 20;
constexpr std::string_view standard_input = "-";

class Check {
 public:
  Check(const CheckOptions& options, const knowledge::Knowledge& knowledge, const Console& console)
      : options_(options), knowledge_(knowledge), console_(console), files_(max_file_bytes) {}

  Exit run() {
    Result<std::vector<Destination>> places = destinations(options_.output_format, options_.output);
    if (!places) return fail(places.error());
    if (std::optional<Error> error = read_configuration()) return fail(*error);
    find_files();
    make_jobs();
    if (projects_->error()) return fail(*projects_->error());
    if (const std::optional<Exit> shown = show()) return finish(discovery_.errors, *shown);
    return report(places.value());
  }

 private:
  Exit fail(const Error& error) {
    print_error(console_, error);
    return Exit::failed;
  }

  /// What was asked for by name has to be read; what is found on the way may be unreadable.
  Exit finish(const std::vector<diagnostics::FileError>& errors, Exit status) const {
    const bool failed = std::ranges::any_of(errors, [this](const diagnostics::FileError& error) {
      return named_.contains(error.file);
    });
    return failed ? Exit::failed : status;
  }

  /// The options of the command line are tried on their own first, so that a mistake in them is not
  /// put down to a file.
  std::optional<Error> read_configuration() {
    config::ProjectsOptions how;
    how.working_directory = working_directory();
    how.isolated = options_.isolated;
    how.command_line = options_.settings;
    for (const std::string& item : options_.config) {
      if (std::optional<Error> error = read_config_option(item, how)) return error;
    }
    const Result<config::ResolvedTarget> target =
        config::resolve_target(how.command_line, config::Settings(), {}, knowledge_);
    if (!target) return target.error();
    std::vector<std::string> selectors =
        how.command_line.select.value_or(std::vector<std::string>());
    const std::vector<std::string>& more = how.command_line.extend_select;
    selectors.insert(selectors.end(), more.begin(), more.end());
    const Result<diagnostics::Selection> selection =
        diagnostics::Selection::make(selectors, how.command_line.ignore, knowledge_);
    if (!selection) return selection.error();
    projects_.emplace(std::move(how), knowledge_);
    return std::nullopt;
  }

  static std::optional<Error> read_config_option(const std::string& item,
                                                 config::ProjectsOptions& how) {
    std::error_code unknown;
    const bool is_assignment =
        item.find('=') != std::string::npos && !std::filesystem::exists(item, unknown);
    if (is_assignment) {
      const Result<config::Settings> settings = config::read_assignment(item);
      if (!settings) return settings.error();
      // What an option of its own says wins over the general one.
      how.command_line = config::layered(settings.value(), how.command_line);
      return std::nullopt;
    }
    const Result<std::string> text = text::read_file(item, max_file_bytes);
    if (!text) return text.error();
    Result<std::optional<config::Settings>> settings = config::read_settings(item, text.value());
    if (!settings) return settings.error();
    how.instead_of_files = settings.value().value_or(config::Settings());
    return std::nullopt;
  }

  static std::string working_directory() {
    std::error_code failed;
    return std::filesystem::current_path(failed).string();
  }

  void find_files() {
    std::vector<std::string> paths = options_.paths;
    const bool from_input = std::erase(paths, standard_input) > 0;
    if (paths.empty() && !from_input) paths.push_back(".");
    for (const std::string& path : paths) named_.insert(shown_path(path, working_directory()));
    const Excluded excluded = [this](const std::string& path) { return projects_->excludes(path); };
    discovery_ = discover(paths, working_directory(), excluded, options_.force_exclude);
    if (from_input) take_standard_input(excluded);
    print_file_errors(discovery_.errors);
    if (discovery_.files.empty() && discovery_.errors.empty() && !from_input) {
      print_warning(console_, "no files to check");
    }
  }

  void take_standard_input(const Excluded& excluded) {
    const bool is_named = !options_.stdin_filename.empty();
    const std::string path = is_named ? shown_path(options_.stdin_filename, working_directory())
                                      : std::string(standard_input);
    if (options_.force_exclude && excluded(path)) return;
    std::string bytes{std::istreambuf_iterator<char>(console_.in), {}};
    text::Language language = text::Language::python;
    if (is_named) language = text::language_of(path, bytes);
    if (language == text::Language::other) return;
    files_.place(path, std::move(bytes), language);
    const auto at = std::ranges::lower_bound(discovery_.files, path);
    if (at == discovery_.files.end() || *at != path) discovery_.files.insert(at, path);
  }

  void make_jobs() {
    for (const std::string& file : discovery_.files) {
      jobs_.push_back({file, &projects_->of(parent_of(file))});
    }
  }

  /// Whose settings are shown: the first file's.
  const config::Project& shown_project() {
    return jobs_.empty() ? projects_->of(".") : *jobs_.front().project;
  }

  /// The target of all files, or that of the working directory where theirs differ.
  output::TargetText shown_target() {
    const output::TargetText first = target_text(shown_project().target);
    const bool differ = std::ranges::any_of(
        jobs_, [&](const LintJob& job) { return target_text(job.project->target) != first; });
    return differ ? target_text(projects_->of(".").target) : first;
  }

  /// What was asked for instead of findings, if anything was.
  std::optional<Exit> show() {
    if (options_.show_files) return show_files(discovery_.files, console_);
    if (options_.show_settings) return show_settings(shown_project(), console_);
    if (!options_.print.empty()) return print_stages();
    return std::nullopt;
  }

  Exit print_stages() {
    Workspace workspace(knowledge_, files_);
    for (const LintJob& job : jobs_) {
      if (jobs_.size() > 1) console_.out << "# " << job.path << "\n";
      AnalyzeOptions options;
      options.target = job.project->target;
      options.root = job.project->root;
      console_.out << print_stage(options_.print, job.path, workspace, options);
    }
    return Exit::clean;
  }

  Exit report(const std::vector<Destination>& places) {
    const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
    const unsigned workers = options_.jobs > 0 ? options_.jobs : processors;
    std::vector<Linted> linted = lint(jobs_, knowledge_, files_, workers);
    Collected collected = collect(jobs_, std::move(linted), *projects_, knowledge_, files_);
    if (projects_->error()) return fail(*projects_->error());
    output::Report& report = collected.report;
    report.tool_version = version;
    report.target = shown_target();
    print_file_errors(report.errors);
    report.errors.insert(report.errors.end(), discovery_.errors.begin(), discovery_.errors.end());
    report.errors = diagnostics::merge_errors(std::move(report.errors));
    if (options_.statistics) {
      show_statistics(report, options_.output_format == "json", console_);
    } else if (!write_reports(report, places, console_)) {
      return Exit::failed;
    }
    return finish(report.errors, status_of(collected));
  }

  void print_file_errors(const std::vector<diagnostics::FileError>& errors) {
    for (const diagnostics::FileError& error : errors) {
      print_error(console_, {error.file, 0, error.message, ""});
    }
  }

  Exit status_of(const Collected& collected) const {
    if (options_.exit_zero) return Exit::clean;
    const bool fails = options_.fail_level ? collected.gravest >= options_.fail_level
                                           : !collected.report.diagnostics.empty();
    return fails ? Exit::findings : Exit::clean;
  }

  const CheckOptions& options_;
  const knowledge::Knowledge& knowledge_;
  const Console& console_;
  DiskFiles files_;
  std::optional<config::Projects> projects_;
  Discovery discovery_;
  std::set<std::string> named_;  ///< the given paths, as shown
  std::vector<LintJob> jobs_;
};

}  // namespace

Exit run_check(const CheckOptions& options, const knowledge::Knowledge& knowledge,
               const Console& console) {
  return Check(options, knowledge, console).run();
}

}  // namespace vramlint::cli
