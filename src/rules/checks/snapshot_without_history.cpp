// SPDX-License-Identifier: MIT
//
// A snapshot for the viewer in a program that never starts to record.
#include <algorithm>

#include "rules/check.h"

namespace vramlint::rules {

void check_snapshot_without_history(CheckContext& context) {
  using replay::Observation;
  const std::vector<Observation>& all = context.timeline.observations;
  const bool records = std::ranges::any_of(all, [](const Observation& seen) {
    return seen.kind == replay::ObservationKind::call &&
           seen.name.ends_with("_record_memory_history");
  });
  if (records || !context.timeline.complete) return;
  for (const Observation& seen : all) {
    if (seen.kind != replay::ObservationKind::call || !context.is_about(seen.name)) continue;
    if (seen.uncalled || seen.in_test) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"call", std::string(seen.name)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
