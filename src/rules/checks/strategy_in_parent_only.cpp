// SPDX-License-Identifier: MIT
//
// A sharing strategy that is set in the parent only, and workers that start afresh.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

bool starts_afresh(const Observation& seen) {
  if (seen.kind != ObservationKind::call || !seen.name.ends_with(".DataLoader")) return false;
  const replay::KnownValue* method = argument_of(seen, "multiprocessing_context", 11);
  const bool is_fresh = is_text(method, "spawn") || is_text(method, "forkserver");
  const replay::KnownValue* workers = argument_of(seen, "num_workers", 5);
  return is_fresh && workers != nullptr && argument_of(seen, "worker_init_fn", 10) == nullptr;
}

}  // namespace

void check_strategy_in_parent_only(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (!is_call(seen, "torch.multiprocessing.set_sharing_strategy")) continue;
    if (seen.process != 0 || !is_under_main_guard(context, seen)) continue;
    for (const Observation& loader : context.timeline.observations) {
      if (!starts_afresh(loader) || loader.process != 0) continue;
      RawFinding finding =
          context.finding_at(context.event(seen.event).place, context.severity(), {});
      finding.related.push_back({context.event(loader.event).place, "these workers start afresh"});
      context.report(std::move(finding));
      break;
    }
  }
}

}  // namespace vramlint::rules
