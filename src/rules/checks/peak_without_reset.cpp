// SPDX-License-Identifier: MIT
//
// The peak of each of several cases, read in a loop that never resets it.
#include <algorithm>

#include "rules/check.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

bool is_reset(const Observation& seen) {
  return seen.kind == ObservationKind::call && seen.name.find(".reset_") != std::string_view::npos;
}

}  // namespace

void check_peak_without_reset(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  if (std::ranges::any_of(all, is_reset)) return;
  for (const Observation& seen : all) {
    if (seen.kind != ObservationKind::call || !context.is_about(seen.name)) continue;
    if (!seen.loop || !seen.loop->over_values || seen.conditional || is_reset(seen)) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"call", std::string(seen.name)}});
    finding.related.push_back({seen.loop->statement, "each round is a case of its own"});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
