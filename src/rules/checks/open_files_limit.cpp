// SPDX-License-Identifier: MIT
//
// Each tensor that a loader's worker hands over takes an open file of its own, and `ulimit -n` says
// how many a program may have. From which number on that is few is the row that `vramlint doctor`
// goes by as well.
#include <algorithm>
#include <string>

#include "rules/loader_words.h"

namespace vramlint::rules {
namespace {

using knowledge::MachineFact;
using replay::Observation;
using replay::ObservationKind;

/// `ulimit -n 1024`, `ulimit -Sn 1024`, `ulimit -S -n 1024`.
bool limits_files(const Observation& started) {
  return started.name == "ulimit" &&
         std::ranges::any_of(started.arguments, [](const replay::ObservedArgument& argument) {
           const std::string_view word = word_of(argument);
           return word.starts_with('-') && word.ends_with('n');
         });
}

bool is_few(const CheckContext& context, int limit) {
  const auto speaks = [&](const knowledge::MachineNeedRow& row) {
    return row.fact == MachineFact::open_files && limit <= row.number_max;
  };
  return limit > 0 && std::ranges::any_of(context.knowledge.machine_needs(), speaks);
}

/// A container has limits of its own.
bool starts_container(const CheckContext& context, const Observation& started) {
  return std::ranges::any_of(started.arguments, [&](const replay::ObservedArgument& argument) {
    const knowledge::LauncherRow* row = context.knowledge.launcher(word_of(argument));
    return row != nullptr && row->role == knowledge::LauncherRole::container;
  });
}

}  // namespace

void check_open_files_limit(CheckContext& context) {
  const Observation* limited = nullptr;
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != ObservationKind::program_started) continue;
    if (limits_files(seen)) {
      const int limit = number_in(word_of(seen.arguments.back()));
      const bool is_certain = !seen.conditional && !seen.uncalled;
      limited = is_certain && is_few(context, limit) ? &seen : nullptr;
      continue;
    }
    const bool shares = limited != nullptr && asks_for_workers(seen) &&
                        runs_training(context, seen) && !starts_container(context, seen);
    if (!shares) continue;
    RawFinding finding =
        context.finding_at(context.event(limited->event).place, context.severity(),
                           {{"limit", std::string(word_of(limited->arguments.back()))}});
    finding.related.push_back({context.event(seen.event).place, "the loader's workers start here"});
    context.report(std::move(finding));
    limited = nullptr;
  }
}

}  // namespace vramlint::rules
