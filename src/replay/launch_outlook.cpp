// SPDX-License-Identifier: MIT
#include "replay/launch_outlook.h"

#include <algorithm>
#include <array>
#include <string_view>

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
  return made;
}

}  // namespace vramlint::replay
