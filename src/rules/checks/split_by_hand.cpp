// SPDX-License-Identifier: MIT
//
// An allocator string taken apart by the program itself, at `,` or `:`.
#include "rules/check.h"

namespace vramlint::rules {

void check_split_by_hand(CheckContext& context) {
  for (const replay::Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::variable_split || seen.in_test) continue;
    const knowledge::VariableRow* row = context.knowledge.variable(seen.name);
    if (row == nullptr || !row->allocator_string) continue;
    if (seen.value.text != "," && seen.value.text != ":") continue;
    RawFinding finding = context.finding_at(
        context.event(seen.event).place, context.severity(),
        {{"variable", std::string(seen.name)}, {"separator", std::string(seen.value.text)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
