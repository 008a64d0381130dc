// SPDX-License-Identifier: MIT
//
// A launch file is judged twice: alone, and together with each Python file of the project that it
// starts. Of the second only what has to do with the launch file is told here, since the script is
// linted by itself as well. A program in a heredoc is part of the launch file.
#include "analyze/launch.h"

#include <algorithm>
#include <span>

#include "analyze/configuration.h"
#include "analyze/found_file.h"
#include "analyze/resolver.h"
#include "analyze/workspace.h"
#include "diagnostics/merge.h"
#include "frontends/launch/inner_program.h"
#include "frontends/launch/launch.h"
#include "frontends/launch/sourced.h"
#include "prefilter/words.h"
#include "rules/signs.h"
#include "support/paths.h"

namespace vramlint {
namespace {

/// Scripts replayed for one launch file; nobody starts more.
constexpr size_t most_scripts = 8;

knowledge::Target target_for(const text::Source& source, const AnalyzeOptions& options) {
  knowledge::Target target = options.target;
  if (text::is_of_windows(source.language()) && target.platform == knowledge::Platform::linux)
    target.platform = knowledge::Platform::windows;
  return target;
}

/// A script is named from the folder of the launch file, or from the project's.
std::string found_script(const std::string& written, const text::Source& launch,
                         const Workspace& workspace, const AnalyzeOptions& options) {
  return found_near(written, parent_of(launch.path()), workspace, options);
}

/// The launch file and those that it sources.
using LaunchFiles = std::span<const std::shared_ptr<const text::Source>>;

/// Whether some of it stands in one of these.
bool is_about(const replay::Timeline& timeline, const rules::RawFinding& finding,
              LaunchFiles launch) {
  const auto stands_there = [&](replay::Place place) {
    return std::ranges::any_of(launch, [&](const std::shared_ptr<const text::Source>& file) {
      return file->path() == timeline.files[place.file]->path();
    });
  };
  return stands_there(finding.place) ||
         std::ranges::any_of(finding.related, [&](const rules::RelatedPlace& related) {
           return stands_there(related.place);
         });
}

/// A list of devices, and a script that names others than the first.
bool hides_devices(const replay::StartingVariable& variable, const text::Source& script,
                   const knowledge::Knowledge& knowledge) {
  const knowledge::VariableRow* row = knowledge.variable(variable.name);
  prefilter::Answers known;
  return row != nullptr && row->pattern == knowledge::ValueForm::cuda_device_list &&
         rules::sign_named("other-device")(script.bytes(), 0, 0, known);
}

/// Whether anything can come of a variable and the script together: the script names the variable
/// itself, or what it does may not work under the setting.
bool matters(const replay::StartingVariable& variable, const text::Source& script,
             const knowledge::Knowledge& knowledge) {
  const knowledge::VariableRow* row = knowledge.variable(variable.name);
  if (row == nullptr) return false;
  const bool conflicts = std::ranges::any_of(knowledge.setting_conflicts(),
                                             [&](const knowledge::SettingConflictRow& conflict) {
                                               return conflict.variable == variable.name;
                                             });
  return row->allocator_string || conflicts || hides_devices(variable, script, knowledge) ||
         script.bytes().find(variable.name) != std::string_view::npos;
}

/// The script's replay with the environment that it is started with.
void add_script(const replay::LaunchedScript& script, LaunchFiles files, Workspace& workspace,
                const AnalyzeOptions& options, Analysis& into) {
  const text::Source& launch = *files.front();
  const std::string path = found_script(script.path, launch, workspace, options);
  if (path.empty()) return;
  const auto source = workspace.files().open(path);
  const bool may_tell =
      source && std::ranges::any_of(script.environment, [&](const auto& variable) {
        return matters(variable, *source.value(), workspace.knowledge());
      });
  if (!may_tell) return;
  const frontends::Closure::Answer answer = workspace.survey().closures().ask(path, options);
  // A script in which nothing tells may still lack what a setting needs.
  const bool sets_allocator =
      std::ranges::any_of(script.environment, [&](const replay::StartingVariable& variable) {
        const knowledge::VariableRow* row = workspace.knowledge().variable(variable.name);
        return (row != nullptr && row->allocator_string) ||
               hides_devices(variable, *source.value(), workspace.knowledge());
      });
  const bool tells = sets_allocator || answer.reach != frontends::Closure::Reach::nothing;
  if (options.prefilter && !tells) return;
  const replay::Timeline timeline =
      launched_timeline(path, script.environment, workspace, options, answer);
  const Resolver resolver(timeline);
  for (const rules::RawFinding& finding : rules::run_checks(
           timeline, workspace.knowledge(), target_for(launch, options), options.interest)) {
    if (is_about(timeline, finding, files))
      into.diagnostics.push_back(resolver.diagnostic(finding));
  }
}

/// Whether a fix leaves the program in its heredoc and what is around it outside. Lines are put in
/// only where the program is not indented.
bool keeps_heredoc(const diagnostics::Fix& fix, const text::Source& launch,
                   const replay::LaunchedScript& script) {
  const std::vector<text::Span>& lines = script.input;
  // Behind `-c` quotes end the program, and what is filled in may be anything.
  const bool is_quoted = !launch.slice(lines.back()).ends_with('\n');
  if (is_quoted || !script.filled_in.empty()) return false;
  const text::Span program{lines.front().begin, lines.back().end};
  const bool is_indented = launch.position_of(program.begin).column > 1;
  return std::ranges::all_of(fix.edits, [&](const diagnostics::Edit& edit) {
    if (edit.file != launch.path()) return true;
    const bool adds_lines = edit.text.find('\n') != std::string::npos;
    return program.contains(edit.span) && !(is_indented && adds_lines);
  });
}

/// Whether a name in it is one that the shell fills in. A string that it does is one that nobody
/// knows, as Python itself has them.
bool names_unknown(text::Span span, const text::Source& launch,
                   std::span<const text::Span> filled_in) {
  return std::ranges::any_of(filled_in, [&](const text::Span& stretch) {
    const std::string_view written = launch.slice(stretch);
    const bool is_code = written.starts_with('$') || written.starts_with('`');
    return is_code && stretch.begin < span.end && span.begin < stretch.end;
  });
}

/// A program in a heredoc or behind `-c`, with the environment that it is started with.
void add_input(const replay::LaunchedScript& script, LaunchFiles files, Workspace& workspace,
               const AnalyzeOptions& options, Analysis& into) {
  const text::Source& launch = *files.front();
  // What a notebook hands to a shell stands in its cells, and not as it is.
  if (launch.cells_or_null() != nullptr) return;
  std::shared_ptr<const text::Source> program =
      frontends::inner_program(launch, script.input, script.filled_in);
  if (!program) return;
  const size_t name = launch.path().rfind('/') + 1;
  const std::string path = launch.path().substr(0, name) + script.path +
                           launch.path().substr(name) + ":" +
                           std::to_string(script.input.front().begin);
  workspace.programs().project.add(path, std::move(program));
  const replay::Timeline timeline = launched_timeline(path, script.environment, workspace, options,
                                                      {frontends::Closure::Reach::entry});
  const Resolver resolver(timeline);
  for (const rules::RawFinding& finding : rules::run_checks(
           timeline, workspace.knowledge(), target_for(launch, options), options.interest)) {
    if (!is_about(timeline, finding, files) ||
        names_unknown(finding.place.span, launch, script.filled_in))
      continue;
    into.diagnostics.push_back(resolver.diagnostic(finding));
    std::optional<diagnostics::Fix>& fix = into.diagnostics.back().fix;
    if (fix && !keeps_heredoc(*fix, launch, script)) fix.reset();
  }
}

/// Whether a program that stands in a launch file may have a finding.
bool may_hold_program(std::string_view bytes) {
  const auto has = [bytes](std::string_view word) { return bytes.find(word) != bytes.npos; };
  return (has("<<") || has(" -c") || has("shell: python")) &&
         rules::telling_words().set().any_in(bytes);
}

/// Whether it may start a program with a configuration in JSON.
bool may_name_configuration(std::string_view bytes, const knowledge::Knowledge& knowledge) {
  if (bytes.find(".json") == std::string_view::npos) return false;
  return std::ranges::any_of(
      knowledge.configuration_files(), [&](const knowledge::ConfigurationFileRow& row) {
        return std::ranges::any_of(row.options, [&](std::string_view option) {
          return bytes.find(option) != std::string_view::npos;
        });
      });
}

/// Whether a shell script may source or run another one.
bool may_source(const text::Source& source) {
  return source.language() == text::Language::shell &&
         (source.bytes().find("source ") != std::string_view::npos ||
          source.bytes().find(". ") != std::string_view::npos ||
          source.bytes().find(".sh") != std::string_view::npos);
}

}  // namespace

replay::LaunchReplay launch_of(const std::shared_ptr<const text::Source>& source,
                               Workspace& workspace, const AnalyzeOptions& options) {
  model::Launch launch = frontends::read_launch(source);
  const auto found = [&](const std::string& written) -> std::shared_ptr<const text::Source> {
    const std::string path = found_script(written, *source, workspace, options);
    if (path.empty()) return nullptr;
    const auto opened = workspace.files().open(path);
    return opened ? opened.value() : nullptr;
  };
  if (may_source(*source)) frontends::add_sourced(launch, found);
  return replay::replay_launch(launch, workspace.knowledge(), workspace.programs().project.names());
}

Analysis analyze_launch(const std::shared_ptr<const text::Source>& source, Workspace& workspace,
                        const AnalyzeOptions& options) {
  Analysis analysis;
  const prefilter::WordSet& words = rules::launch_words();
  const bool may_tell = words.any_in(source->bytes()) || may_hold_program(source->bytes()) ||
                        may_name_configuration(source->bytes(), workspace.knowledge());
  if (options.prefilter && !may_tell && !may_source(*source)) return analysis;
  replay::LaunchReplay replayed = launch_of(source, workspace, options);
  // What a cell of a notebook starts runs beside the notebook's own program.
  replayed.timeline.alone =
      source->cells_or_null() == nullptr &&
      std::ranges::none_of(replayed.scripts, [&](const replay::LaunchedScript& script) {
        return !script.input.empty() ||
               !found_script(script.path, *source, workspace, options).empty();
      });
  const LaunchFiles files = replayed.timeline.files;
  const bool is_told = may_tell || std::ranges::any_of(files, [&](const auto& file) {
                         return words.any_in(file->bytes());
                       });
  if (options.prefilter && !is_told) return analysis;
  const Resolver resolver(replayed.timeline);
  for (const rules::RawFinding& finding :
       rules::run_checks(replayed.timeline, workspace.knowledge(), target_for(*source, options),
                         options.interest)) {
    // What a sourced file says by itself is told where it is read.
    if (is_about(replayed.timeline, finding, files.first(1)))
      analysis.diagnostics.push_back(resolver.diagnostic(finding));
  }
  for (size_t i = 0; i < std::min(replayed.scripts.size(), most_scripts); ++i) {
    const replay::LaunchedScript& script = replayed.scripts[i];
    const auto add = script.input.empty() ? add_script : add_input;
    add(script, files, workspace, options, analysis);
  }
  for (size_t i = 0; i < std::min(replayed.configurations.size(), most_scripts); ++i)
    add_configuration(replayed.configurations[i], parent_of(source->path()), workspace, options,
                      analysis);
  analysis.diagnostics = diagnostics::merge_findings({std::move(analysis.diagnostics)});
  return analysis;
}

}  // namespace vramlint
