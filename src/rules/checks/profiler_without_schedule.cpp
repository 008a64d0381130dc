// SPDX-License-Identifier: MIT
//
// A profiler that records every step of a run: what it records stays in host memory until its end.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

bool makes_profiler(const Observation& seen) {
  return seen.kind == ObservationKind::call && seen.name.ends_with(".profile");
}

bool is_loop_inside(const Observation& seen) {
  return seen.kind == ObservationKind::call && seen.name.ends_with(".profile.__for__");
}

/// `for batch in loader:` that goes on to its end, whatever else it does.
bool is_whole_run(std::string_view loop) {
  const std::string_view head = loop.substr(0, loop.find('\n'));
  const bool is_training = head.find("loader") != std::string_view::npos ||
                           head.find("epochs") != std::string_view::npos;
  return is_training && !has_word(loop, "break") && !has_word(loop, "return");
}

/// A loop that stands in another one that the profiler is around as well: epochs and their steps.
/// Or one that goes through all batches.
const Observation* recorded_loop(const CheckContext& context, size_t profiler) {
  const std::vector<Observation>& all = context.timeline.observations;
  std::vector<replay::Place> loops;
  for (size_t i = profiler + 1; i < all.size() && !makes_profiler(all[i]); ++i) {
    if (!is_loop_inside(all[i]) || all[i].process != all[profiler].process) continue;
    const bool is_inner =
        all[i].loop && std::ranges::find(loops, all[i].loop->statement) != loops.end();
    // A loop of a few rounds that are counted is no training, unless all batches are gone through
    // in each.
    const bool is_counted = all[i].written.rounds > 1 && all[i].written.rounds < 50;
    const bool is_whole = is_whole_run(context.text(context.event(all[i].event).place));
    if (is_inner && (!is_counted || is_whole)) return &all[i];
    if (all[i].written.rounds == 1 && is_whole) return &all[i];
    loops.push_back(context.event(all[i].event).place);
  }
  return nullptr;
}

}  // namespace

void check_profiler_without_schedule(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!makes_profiler(all[i]) || all[i].written.open_arguments || all[i].in_test) continue;
    if (argument_of(all[i], "schedule", -1) != nullptr) continue;
    const Observation* loop = recorded_loop(context, i);
    if (loop == nullptr) continue;
    RawFinding finding =
        context.finding_at(context.event(all[i].event).place, context.severity(), {});
    finding.related.push_back({context.event(loop->event).place, "each round is recorded"});
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
