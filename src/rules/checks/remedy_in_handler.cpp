// SPDX-License-Identifier: MIT
//
// Something done in the handler of an out-of-memory error that takes more memory, not less.
#include <algorithm>

#include "rules/check.h"

namespace vramlint::rules {

void check_remedy_in_handler(CheckContext& context) {
  using replay::KnownValue;
  for (const replay::Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::attribute_write || !context.is_about(seen.name))
      continue;
    const bool is_on = seen.value.kind == KnownValue::Kind::boolean && seen.value.integer != 0;
    const bool is_memory_error =
        seen.handling.ends_with("OutOfMemoryError") || seen.handling == "RuntimeError";
    if (!is_on || !is_memory_error) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"name", std::string(seen.name)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
