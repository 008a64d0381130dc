// SPDX-License-Identifier: MIT
#include "replay/launch_outlook.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "replay/child_programs.h"

namespace vramlint::replay {
namespace {

using model::LaunchStep;
using model::LaunchStepKind;

/// Commands after which nothing is left to happen.
constexpr std::array<std::string_view, 21> idle_commands = {
    "echo", "printf", "wait", "exit", "cd", "true",   ":",     "rm",    "ls",         "cat", "date",
    "[",    "test",   "kill", "cp",   "mv", "return", "sleep", "mkdir", "deactivate", "tee"};

bool is_idle(const LaunchStep& step) {
  if (step.words.empty()) return true;
  const std::string* name = step.words[0].plain();
  return name != nullptr && std::ranges::find(idle_commands, *name) != idle_commands.end();
}

/// `source venv/bin/activate` starts nothing.
bool activates(const LaunchStep& step) {
  const bool sources = step.words.size() > 1 &&
                       (step.words[0].beginning() == "source" || step.words[0].beginning() == ".");
  return sources && !step.words[1].parts.empty() &&
         step.words[1].parts.back().text.ends_with("activate");
}

/// Which steps may use what is exported, and not only what they name: what is started without the
/// environment does not, nor does anything inside a shell that is.
std::vector<bool> readers_in(const std::vector<LaunchStep>& steps,
                             const knowledge::Knowledge& knowledge) {
  std::vector<bool> made(steps.size());
  std::vector<bool> kept_from = {false};  // by shell, from the outermost
  for (size_t i = 0; i < steps.size(); ++i) {
    const LaunchStep& step = steps[i];
    if (step.kind == LaunchStepKind::enter)
      kept_from.push_back(kept_from.back() || withholds_environment(step));
    if (step.kind == LaunchStepKind::leave && kept_from.size() > 1) kept_from.pop_back();
    const bool may = step.kind == LaunchStepKind::start && !kept_from.back() &&
                     !withholds_environment(step) && !is_idle(step) && !activates(step);
    // What a container gets can't be told where its options can't.
    made[i] = may && (step.contained || may_read_environment(step, knowledge));
  }
  return made;
}

/// By step: whether one of these readers comes after it, before its shell ends.
std::vector<bool> read_below(const std::vector<LaunchStep>& steps,
                             const std::vector<bool>& readers) {
  std::vector<bool> made(steps.size());
  std::vector<bool> reads = {false};  // by shell, from the outermost
  for (size_t i = steps.size(); i-- > 0;) {
    made[i] = reads.back();
    if (steps[i].kind == LaunchStepKind::leave) reads.push_back(false);
    if (steps[i].kind == LaunchStepKind::enter && reads.size() > 1) {
      const bool inside = reads.back();
      reads.pop_back();
      if (inside) reads.back() = true;
    }
    if (readers[i]) reads.back() = true;
  }
  return made;
}

}  // namespace

LaunchOutlook outlook_of(const model::Launch& launch, const knowledge::Knowledge& knowledge) {
  LaunchOutlook made;
  const size_t count = launch.steps.size();
  made.programs.resize(count);
  made.after.resize(count + 1);
  for (size_t i = count; i-- > 0;) {
    const LaunchStep& step = launch.steps[i];
    const bool publishes =
        step.kind == LaunchStepKind::publish || (step.kind == LaunchStepKind::set && step.exported);
    if (publishes) made.handed_on.insert(step.name);
    made.handed_on.insert(step.passed_on.begin(), step.passed_on.end());
    made.named.insert(step.passed_on.begin(), step.passed_on.end());
    for (const model::LaunchSetting& setting : step.own) made.named.insert(setting.name);
    LaunchOutlook::After& after = made.after[i];
    after = made.after[i + 1];
    if (step.kind != LaunchStepKind::start) continue;
    const LaunchedProgram& program = made.programs[i] = program_of(step, knowledge);
    const bool gets = program.runs_python && !program.debugged && !step.contained;
    after.program |= gets;
    after.debugged |= program.debugged;
    after.anything |= !is_idle(step);
    if (gets) after.next_program = i;
  }
  made.read_below = read_below(launch.steps, readers_in(launch.steps, knowledge));
  return made;
}

}  // namespace vramlint::replay
