// SPDX-License-Identifier: MIT
//
// A snapshot for the viewer in a program that never starts to record, or has stopped it by then.
#include <algorithm>

#include "rules/check.h"

namespace vramlint::rules {
namespace {

using replay::Observation;

bool is_switch(const Observation& seen) {
  return seen.kind == replay::ObservationKind::call &&
         seen.name.ends_with("_record_memory_history");
}

/// `_record_memory_history(None)`, which also drops what was recorded.
bool stops(const Observation& seen) {
  const replay::KnownValue* enabled = argument_of(seen, "enabled", 0);
  return enabled != nullptr && enabled->kind == replay::KnownValue::Kind::none;
}

/// Whether the last switch before it, in the same run of the same function, turned recording off.
bool is_stopped_before(const std::vector<Observation>& all, size_t index) {
  for (size_t i = index; i-- > 0;) {
    if (!is_switch(all[i])) continue;
    return stops(all[i]) && !all[i].conditional && all[i].process == all[index].process &&
           all[i].written.scope == all[index].written.scope;
  }
  return false;
}

}  // namespace

void check_snapshot_without_history(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  if (!context.timeline.complete) return;
  const bool records = std::ranges::any_of(
      all, [](const Observation& seen) { return is_switch(seen) && !stops(seen); });
  for (size_t i = 0; i < all.size(); ++i) {
    const Observation& seen = all[i];
    const bool is_call = seen.kind == replay::ObservationKind::call;
    if (!is_call || is_switch(seen) || !context.is_about(seen.name)) continue;
    if (records ? !is_stopped_before(all, i) : seen.uncalled || seen.in_test) continue;
    RawFinding finding = context.finding_at(
        context.event(seen.event).place, context.severity(),
        {{"call", std::string(seen.name)},
         {"problem", records ? "the recording was stopped before, which drops what it had"
                             : "nothing in this program starts `_record_memory_history()`"}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
