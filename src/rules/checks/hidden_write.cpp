// SPDX-License-Identifier: MIT
//
// `os.putenv` changes what the C library sees and not `os.environ`, which Python code reads and
// hands to children.
#include "rules/check.h"

namespace vramlint::rules {

void check_hidden_write(CheckContext& context) {
  for (const replay::Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::variable_write) continue;
    if (seen.form != replay::WriteForm::putenv) continue;
    if (context.knowledge.variable(seen.name) == nullptr || context.comes_too_late(seen)) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"variable", std::string(seen.name)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
