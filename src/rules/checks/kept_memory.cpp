// SPDX-License-Identifier: MIT
//
// Habits that keep memory longer than it seems; each has a page of its own.
#include "rules/check.h"

namespace vramlint::rules {
namespace {

using replay::KeptWay;

struct Habit {
  std::string_view page;
  KeptWay way;
};

constexpr Habit habits[] = {
    {"evaluation-with-gradients", KeptWay::evaluation},
    {"hook-collects-outputs", KeptWay::hook},
    {"retry-in-memory-handler", KeptWay::retry},
    {"result-in-context", KeptWay::context},
    {"gradients-with-graph", KeptWay::gradients},
    {"live-state-as-snapshot", KeptWay::live_state},
    {"cache-emptied-before-delete", KeptWay::referenced},
    {"gpu-results-remembered", KeptWay::cached},
    {"step-outputs-never-cleared", KeptWay::epochs},
    {"average-with-gradients", KeptWay::average},
    {"loader-cycled", KeptWay::cycle},
    {"loader-begun-anew", KeptWay::restart},
    {"gradients-set-to-zero", KeptWay::zeroed},
};

}  // namespace

void check_kept_memory(CheckContext& context) {
  for (const Habit& habit : habits) {
    if (habit.page != context.page.name) continue;
    for (const replay::Observation& seen : context.timeline.observations) {
      const bool fits = seen.kind == replay::ObservationKind::graph_kept && seen.kept == habit.way;
      if (!fits || seen.in_test) continue;
      if (habit.way == KeptWay::restart && !seen.each_batch) continue;
      RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                              {{"name", std::string(seen.name)}});
      if (seen.loop && habit.way == KeptWay::evaluation)
        finding.related.push_back({seen.loop->statement, "in each round of this loop"});
      context.report(std::move(finding));
    }
  }
}

}  // namespace vramlint::rules
