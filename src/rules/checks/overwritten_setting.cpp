// SPDX-License-Identifier: MIT
//
// A package that sets the allocator at its import, whatever the user has set.
#include <algorithm>

#include "rules/check.h"

namespace vramlint::rules {
namespace {

using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;
using replay::WriteForm;

/// The program looked at what was set before.
bool is_asked(const CheckContext& context, size_t index) {
  const std::vector<Observation>& all = context.timeline.observations;
  return std::any_of(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(index), [&](const Observation& seen) {
        return seen.kind == ObservationKind::variable_asked && seen.name == all[index].name;
      });
}

}  // namespace

void check_overwritten_setting(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    const Observation& seen = all[i];
    if (seen.kind != ObservationKind::variable_write || !context.is_about(seen.name)) continue;
    const bool overwrites = seen.form == WriteForm::subscript || seen.form == WriteForm::update ||
                            seen.form == WriteForm::merge || seen.form == WriteForm::putenv;
    if (!overwrites || !seen.at_import || !seen.in_library || seen.in_test) continue;
    const auto torch = static_cast<size_t>(knowledge::Moment::import_torch);
    if (seen.moments[torch].certainty != replay::Certainty::no) continue;  // another rule's
    if (seen.conditional || seen.before != replay::Certainty::no) continue;
    if (seen.value.kind != KnownValue::Kind::text || is_asked(context, i)) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"variable", std::string(seen.name)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
