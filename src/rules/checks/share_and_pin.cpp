// SPDX-License-Identifier: MIT
//
// `share_memory_()` and `pin_memory()` on one tensor: the second call undoes the first.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

bool is_about_memory(const Observation& seen) {
  return is_call(seen, ".share_memory_") || is_call(seen, ".pin_memory");
}

/// Whether `second` is made on what `first` gave, and takes its place.
bool replaces(const CheckContext& context, const Observation& first, const Observation& second) {
  if (first.name == second.name || first.process != second.process) return false;
  const auto& receiver = second.written.receiver;
  if (!receiver || !receiver->written) return false;
  if (context.event(first.event).place == *receiver->written) return true;
  if (first.written.scope != second.written.scope) return false;
  const std::string_view name = context.text(*receiver->written);
  const bool in_place = first.name == ".share_memory_" && receiver_text(context, first) == name;
  const bool is_same = assigned_text(context, first) == name || in_place;
  const bool is_rebound = second.name == ".share_memory_" || assigned_text(context, second) == name;
  return is_same && is_rebound;
}

}  // namespace

void check_share_and_pin(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!is_about_memory(all[i])) continue;
    for (size_t j = i; j-- > 0;) {
      if (!is_about_memory(all[j]) || !replaces(context, all[j], all[i])) continue;
      const bool pins = all[i].name == ".pin_memory";
      RawFinding finding = context.finding_at(
          context.event(all[i].event).place, context.severity(),
          {{"call", std::string(pins ? "pin_memory()" : "share_memory_()")},
           {"lost", std::string(pins ? "is not shared any more: what other processes write is not "
                                       "seen in it"
                                     : "is not pinned any more: copies of it are synchronous")}});
      finding.related.push_back({context.event(all[j].event).place, "undone by that"});
      context.report(std::move(finding));
      break;
    }
  }
}

}  // namespace vramlint::rules
