// SPDX-License-Identifier: MIT
//
// The cache is emptied after each batch, whatever happened there.
#include "rules/check.h"
#include "rules/source_edits.h"

namespace vramlint::rules {

void check_empty_cache_in_loop(CheckContext& context) {
  for (const replay::Observation& seen : context.timeline.observations) {
    const bool is_call = seen.kind == replay::ObservationKind::call && context.is_about(seen.name);
    if (!is_call || !seen.each_batch || !seen.handling.empty() || seen.in_test) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"call", std::string(seen.name)}});
    finding.related.push_back({*seen.each_round, "in each round of this loop"});
    finding.fix = without_statement(context, context.event(seen.event).place, Applicability::unsafe,
                                    "take the call out");
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
