// SPDX-License-Identifier: MIT
//
// `backward(retain_graph=True)` through the graphs of all rounds so far.
#include "rules/check.h"

namespace vramlint::rules {

void check_retained_graph(CheckContext& context) {
  using replay::KeptWay;
  for (const replay::Observation& seen : context.timeline.observations) {
    const bool retains = seen.kept == KeptWay::backward;
    if (seen.kind != replay::ObservationKind::graph_kept || !retains || seen.in_test) continue;
    const auto severity = seen.each_step ? context.severity() : diagnostics::Severity::note;
    RawFinding finding = context.finding_at(context.event(seen.event).place, severity,
                                            {{"name", std::string(seen.name)}});
    if (seen.loop) finding.related.push_back({seen.loop->statement, "in each round of this loop"});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
