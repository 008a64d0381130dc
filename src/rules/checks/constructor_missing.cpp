// SPDX-License-Identifier: MIT
//
// A class whose constructor is called `init`, so that nobody calls it.
#include "rules/check.h"

namespace vramlint::rules {

void check_constructor_missing(CheckContext& context) {
  for (const replay::Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::constructor_missing) continue;
    RawFinding finding = context.finding_at(
        context.event(seen.event).place, context.severity(),
        {{"attribute", std::string(seen.name)}, {"class", std::string(seen.value.text)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
