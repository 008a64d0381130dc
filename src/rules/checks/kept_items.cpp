// SPDX-License-Identifier: MIT
//
// A container that gets another tensor with its graph in each round of a loop.
#include "rules/check.h"

namespace vramlint::rules {

void check_kept_items(CheckContext& context) {
  using replay::KeptWay;
  for (const replay::Observation& seen : context.timeline.observations) {
    const bool grows = seen.kept == KeptWay::container;
    if (seen.kind != replay::ObservationKind::graph_kept || !grows || seen.in_test) continue;
    const auto severity = seen.each_step ? context.severity() : diagnostics::Severity::note;
    RawFinding finding = context.finding_at(context.event(seen.event).place, severity,
                                            {{"name", std::string(seen.name)}});
    if (seen.loop) finding.related.push_back({seen.loop->statement, "in each round of this loop"});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
