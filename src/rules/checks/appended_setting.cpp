// SPDX-License-Identifier: MIT
//
// Options put behind an allocator string that may be empty: the string then begins with a comma.
#include "rules/check.h"

namespace vramlint::rules {

void check_appended_setting(CheckContext& context) {
  for (const replay::Observation& seen : context.timeline.observations) {
    const bool write = seen.kind == replay::ObservationKind::variable_write ||
                       seen.kind == replay::ObservationKind::child_variable_write;
    if (!write || !context.is_about(seen.name)) continue;
    const bool may_begin = seen.value.kind == replay::KnownValue::Kind::ending &&
                           seen.value.perhaps_all && seen.value.text.starts_with(',');
    if (!may_begin) continue;
    RawFinding finding = context.finding_at(
        context.event(seen.event).place, context.severity(),
        {{"variable", std::string(seen.name)}, {"value", std::string(seen.value.text)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
