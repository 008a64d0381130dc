// SPDX-License-Identifier: MIT
// The one place where the stages are put in a row for files on a disk. It decides nothing about
// findings: finding files, reading configuration, linting, collecting and writing are a file each.
#include "cli/check.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/add_ignore.h"
#include "cli/changed_lines.h"
#include "cli/discover.h"
#include "cli/lint.h"
#include "cli/reports.h"
#include "cli/show.h"
#include "config/projects.h"
#include "diagnostics/merge.h"
#include "lint/collect.h"
#include "lint/interest.h"
#include "support/paths.h"
#include "vramlint_version.h"

namespace vramlint::cli {

namespace {

constexpr std::string_view standard_input = "-";

class Check {
 public:
  Check(const CheckOptions& options, const knowledge::Knowledge& knowledge, const Console& console)
      : options_(options), knowledge_(knowledge), console_(console), files_(lint::max_file_bytes) {}

  Exit run() {
    if (std::optional<Error> error = read_configuration()) return fail(*error);
    const std::string format = settings().output_format.value_or("full");
    Result<std::vector<Destination>> places = destinations(format, options_.output);
    if (!places) return fail(places.error());
    if (std::optional<Error> error = read_what_is_known()) return fail(*error);
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
    if (std::optional<Error> error = config::check_rule_words(how.command_line, knowledge_)) {
      return error;
    }
    projects_.emplace(std::move(how), knowledge_);
    projects_->of(".");
    return projects_->error();
  }

  /// What holds for the run as a whole: the configuration of the working directory decides.
  const config::Settings& settings() { return projects_->of(".").settings; }

  std::optional<Error> read_what_is_known() {
    Result<BaselineFile> baseline =
        BaselineFile::open(options_.baseline, settings(), working_directory());
    if (!baseline) return baseline.error();
    baseline_ = std::move(baseline).value();
    narrowing_.working_directory = working_directory();
    narrowing_.baseline_folder = baseline_.folder();
    narrowing_.baseline = baseline_.baseline();
    narrowing_.shows_known = options_.baseline.write;
    if (!options_.diff_base) return std::nullopt;
    Result<ChangedLines> changed = changed_since(*options_.diff_base, working_directory());
    if (!changed) return changed.error();
    changed_ = std::move(changed).value();
    narrowing_.concerns = [this](const diagnostics::Diagnostic& finding) {
      return changed_.concern(finding);
    };
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
      if (settings.value().extend) {
        return Error{"", 0, "`extend` stands in a file only", "`--config FILE` takes one"};
      }
      // What an option of its own says wins over the general one.
      how.command_line = config::layered(settings.value(), how.command_line);
      return std::nullopt;
    }
    const Result<std::string> text = text::read_file(item, lint::max_file_bytes);
    if (!text) return text.error();
    Result<std::optional<config::Settings>> settings = config::read_settings(item, text.value());
    if (!settings) return settings.error();
    how.instead_of_files = settings.value().value_or(config::Settings());
    return std::nullopt;
  }

  void find_files() {
    std::vector<std::string> paths = options_.paths;
    const bool from_input = std::erase(paths, standard_input) > 0;
    if (paths.empty() && !from_input) paths.push_back(".");
    for (const std::string& path : paths) named_.insert(shown_path(path, working_directory()));
    const Excluded excluded = [this](const std::string& path) { return projects_->excludes(path); };
    discovery_ = discover(paths, working_directory(), excluded, force_exclude());
    if (from_input) take_standard_input(excluded);
    print_file_errors(discovery_.errors);
    if (discovery_.files.empty() && discovery_.errors.empty() && !from_input) {
      print_warning(console_, "no files to check");
    }
  }

  bool force_exclude() { return settings().force_exclude.value_or(false); }

  bool with_unsafe_fixes() {
    return options_.fixes.with_unsafe || settings().unsafe_fixes.value_or(false);
  }

  void take_standard_input(const Excluded& excluded) {
    const bool is_named = !options_.stdin_filename.empty();
    const std::string path = is_named ? shown_path(options_.stdin_filename, working_directory())
                                      : std::string(standard_input);
    input_.assign(std::istreambuf_iterator<char>(console_.in), {});
    input_path_ = path;
    named_.insert(path);
    if (force_exclude() && excluded(path)) return;
    text::Language language = text::Language::python;
    if (is_named) language = text::language_of(path, input_);
    if (language == text::Language::other) return;
    files_.place(path, input_, language);
    const auto at = std::ranges::lower_bound(discovery_.files, path);
    if (at == discovery_.files.end() || *at != path) discovery_.files.insert(at, path);
  }

  void make_jobs() {
    for (const std::string& file : discovery_.files) {
      const config::Project& project = projects_->of(parent_of(file));
      const auto [found, fresh] = interests_.try_emplace(&project);
      if (fresh) found->second = lint::interest_of(project, settings().fail_level, knowledge_);
      jobs_.push_back({file, &project, &found->second});
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
        jobs_, [&](const lint::Job& job) { return target_text(job.project->target) != first; });
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
    for (const lint::Job& job : jobs_) {
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
    if (options_.fixes.is_asked()) return fix(places, workers);
    lint::Collected collected =
        lint::collect(jobs_, linted(workers), *projects_, knowledge_, files_, narrowing_);
    if (options_.add_ignore) return add_ignore(collected);
    collected.report.with_unsafe_fixes = with_unsafe_fixes();
    return write(collected, places, console_);
  }

  std::vector<lint::Linted> linted(unsigned workers) {
    Progress progress(jobs_.size(), console_.err, console_.shows_progress);
    return lint_all(jobs_, knowledge_, files_, workers, &progress);
  }

  Exit add_ignore(const lint::Collected& collected) {
    if (projects_->error()) return fail(*projects_->error());
    print_file_errors(collected.report.errors);
    std::set<std::string, std::less<>> linted;
    for (const lint::Job& job : jobs_) {
      if (job.path != input_path_) linted.insert(job.path);
    }
    const Exit done =
        add_ignores(collected.report.diagnostics, linted, knowledge_, files_, console_);
    return finish(collected.report.errors, finish(discovery_.errors, done));
  }

  Exit fix(const std::vector<Destination>& places, unsigned workers) {
    FixChoice choice = options_.fixes;
    choice.with_unsafe = with_unsafe_fixes();
    FixedFiles fixed = fix_files({jobs_, *projects_, knowledge_, files_, workers,
                                  lint::max_file_bytes, input_path_, narrowing_},
                                 choice);
    if (projects_->error()) return fail(*projects_->error());
    warn_of_fixes_left_out(fixed.outcome, console_);
    output::Report& report = fixed.collected.report;
    report.errors.insert(report.errors.end(), fixed.errors.begin(), fixed.errors.end());
    if (options_.fixes.diff) {
      show_diff(fixed, console_);
      print_file_errors(report.errors);
      return finish(report.errors, fixed.outcome.texts.empty() ? Exit::clean : Exit::findings);
    }
    report.fixed = fixed.outcome.applied.size();
    report.with_unsafe_fixes = choice.with_unsafe;
    // The new text of standard input goes where it is expected, and all else where it does no harm.
    Console to_people{console_.in, input_path_ ? console_.err : console_.out, console_.err,
                      input_path_ ? console_.color_errors : console_.color, console_.color_errors};
    if (input_path_) {
      const auto text = fixed.outcome.texts.find(*input_path_);
      console_.out << (text == fixed.outcome.texts.end() ? input_ : text->second);
    }
    if (options_.fixes.show) to_people.out << fixes_made(fixed.outcome);
    return write(fixed.collected, places, to_people);
  }

  Exit write(lint::Collected& collected, const std::vector<Destination>& places,
             const Console& console) {
    if (projects_->error()) return fail(*projects_->error());
    output::Report& report = collected.report;
    report.tool_version = version;
    report.target = shown_target();
    print_file_errors(report.errors);
    report.errors.insert(report.errors.end(), discovery_.errors.begin(), discovery_.errors.end());
    report.errors = diagnostics::merge_errors(std::move(report.errors));
    if (options_.baseline.write) {
      return finish(report.errors, baseline_.write(collected, console_));
    }
    report.baseline_refused = baseline_.refuses(collected);
    const bool as_json = settings().output_format == "json";
    std::vector<Destination> wanted = places;
    if (options_.statistics) std::erase_if(wanted, is_console);
    if (!write_reports(report, wanted, console)) return Exit::failed;
    if (options_.statistics) show_statistics(report, as_json, console);
    const Exit settled = baseline_.settle(collected, console_);
    return finish(report.errors, std::max(status_of(collected), settled));
  }

  static bool is_console(const Destination& place) { return place.file.empty(); }

  void print_file_errors(const std::vector<diagnostics::FileError>& errors) {
    for (const diagnostics::FileError& error : errors) {
      print_error(console_, {error.file, 0, error.message, ""});
    }
  }

  Exit status_of(const lint::Collected& collected) {
    if (options_.exit_zero) return Exit::clean;
    const std::optional<diagnostics::Severity> fail_level = settings().fail_level;
    const bool fails =
        fail_level ? collected.gravest >= fail_level : !collected.report.diagnostics.empty();
    return fails ? Exit::findings : Exit::clean;
  }

  const CheckOptions& options_;
  const knowledge::Knowledge& knowledge_;
  const Console& console_;
  DiskFiles files_;
  std::optional<config::Projects> projects_;
  BaselineFile baseline_;
  ChangedLines changed_;
  lint::Narrowing narrowing_;
  Discovery discovery_;
  std::string input_;                      ///< what came on standard input, …
  std::optional<std::string> input_path_;  ///< … and the name that it goes by
  std::set<std::string> named_;            ///< the given paths, as shown
  std::map<const config::Project*, rules::Interest> interests_;
  std::vector<lint::Job> jobs_;
};

}  // namespace

Exit run_check(const CheckOptions& options, const knowledge::Knowledge& knowledge,
               const Console& console) {
  return Check(options, knowledge, console).run();
}

}  // namespace vramlint::cli
