// SPDX-License-Identifier: MIT
//
// A name that a loop combines with what it held before, so that the graphs of all rounds hang
// together.
#include "rules/check.h"

namespace vramlint::rules {

void check_kept_sum(CheckContext& context) {
  using replay::KeptWay;
  for (const replay::Observation& seen : context.timeline.observations) {
    const bool sums = seen.kept == KeptWay::sum || seen.kept == KeptWay::call;
    if (seen.kind != replay::ObservationKind::graph_kept || !sums || seen.in_test) continue;
    const auto severity = seen.each_step ? context.severity() : diagnostics::Severity::note;
    RawFinding finding = context.finding_at(context.event(seen.event).place, severity,
                                            {{"name", std::string(seen.name)}});
    if (seen.loop) finding.related.push_back({seen.loop->statement, "in each round of this loop"});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
