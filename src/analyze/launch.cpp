// SPDX-License-Identifier: MIT
//
// A launch file is judged twice: alone, and together with each Python file of the project that it
// starts. Of the second only what has to do with the launch file is told here, since the script is
// linted by itself as well.
#include "analyze/launch.h"

#include <algorithm>

#include "analyze/resolver.h"
#include "analyze/workspace.h"
#include "diagnostics/merge.h"
#include "frontends/launch/launch.h"
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
  std::string name = written;
  for (size_t at = name.find("./"); at != std::string::npos; at = name.find("./", at)) {
    const bool begins = at == 0 || name[at - 1] == '/';
    if (begins) {
      name.erase(at, 2);
    } else {
      at += 2;
    }
  }
  for (const std::string& folder : {parent_of(launch.path()), options.root}) {
    const std::string path = folder == "." || folder.empty() ? name : folder + "/" + name;
    if (workspace.files().is_file(path)) return path;
  }
  return {};
}

bool is_about(const replay::Timeline& timeline, const rules::RawFinding& finding,
              const text::Source& launch) {
  const auto stands_there = [&](replay::Place place) {
    return timeline.files[place.file].get() == &launch;
  };
  return stands_there(finding.place) ||
         std::ranges::any_of(finding.related, [&](const rules::RelatedPlace& related) {
           return stands_there(related.place);
         });
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
  return row->allocator_string || conflicts ||
         script.bytes().find(variable.name) != std::string_view::npos;
}

/// The script's replay with the environment that it is started with.
void add_script(const replay::LaunchedScript& script, const text::Source& launch,
                Workspace& workspace, const AnalyzeOptions& options, Analysis& into) {
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
        return row != nullptr && row->allocator_string;
      });
  const bool tells = sets_allocator || answer.reach != frontends::Closure::Reach::nothing;
  if (options.prefilter && !tells) return;
  const replay::Timeline timeline =
      launched_timeline(path, script.environment, workspace, options, answer);
  const Resolver resolver(timeline);
  for (const rules::RawFinding& finding : rules::run_checks(
           timeline, workspace.knowledge(), target_for(launch, options), options.interest)) {
    if (is_about(timeline, finding, launch))
      into.diagnostics.push_back(resolver.diagnostic(finding));
  }
}

}  // namespace

replay::LaunchReplay launch_of(const std::shared_ptr<const text::Source>& source,
                               Workspace& workspace) {
  return replay::replay_launch(frontends::read_launch(source), workspace.knowledge(),
                               workspace.programs().project.names());
}

Analysis analyze_launch(const std::shared_ptr<const text::Source>& source, Workspace& workspace,
                        const AnalyzeOptions& options) {
  Analysis analysis;
  const prefilter::WordSet& words = rules::launch_words();
  if (options.prefilter && !words.any_in(source->bytes())) return analysis;
  const replay::LaunchReplay replayed = launch_of(source, workspace);
  const Resolver resolver(replayed.timeline);
  for (const rules::RawFinding& finding :
       rules::run_checks(replayed.timeline, workspace.knowledge(), target_for(*source, options),
                         options.interest)) {
    analysis.diagnostics.push_back(resolver.diagnostic(finding));
  }
  for (size_t i = 0; i < std::min(replayed.scripts.size(), most_scripts); ++i)
    add_script(replayed.scripts[i], *source, workspace, options, analysis);
  analysis.diagnostics = diagnostics::merge_findings({std::move(analysis.diagnostics)});
  return analysis;
}

}  // namespace vramlint
