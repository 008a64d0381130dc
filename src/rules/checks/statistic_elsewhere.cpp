// SPDX-License-Identifier: MIT
//
// A call that needs CUDA, on every path of a program that also runs on another kind of device.
#include "rules/check.h"

namespace vramlint::rules {

void check_statistic_elsewhere(CheckContext& context) {
  for (const replay::Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::call || !context.is_about(seen.name)) continue;
    if (seen.elsewhere.certainty == replay::Certainty::no || seen.uncalled) continue;
    // Elsewhere, a library asks for all its users.
    const replay::Event& asking = context.event(seen.elsewhere.event);
    if (asking.place.file != context.event(seen.event).place.file) continue;
    if (seen.conditional || seen.asked_for_gpu || seen.guards.runtime_error) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"call", std::string(seen.name)}});
    finding.related.push_back({context.event(seen.elsewhere.event).place,
                               "the program asks for another kind of device here"});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
