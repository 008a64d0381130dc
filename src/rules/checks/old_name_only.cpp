// SPDX-License-Identifier: MIT
//
// A program that asks for the allocator's settings under one name, where the release reads two.
#include <algorithm>

#include "rules/check.h"
#include "settings/allocator_string.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

bool is_asked(const CheckContext& context, std::string_view name) {
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
    return seen.kind == ObservationKind::variable_asked && seen.name == name;
  });
}

}  // namespace

void check_old_name_only(CheckContext& context) {
  const auto& names =
      settings::grammar_of(context.torch(), context.knowledge.allocator_tables()).variables;
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != ObservationKind::variable_asked || !context.is_about(seen.name)) continue;
    for (const std::string_view other : context.page.words) {
      if (std::ranges::find(names, other) == names.end() || is_asked(context, other)) continue;
      RawFinding finding =
          context.finding_at(context.event(seen.event).place, context.severity(),
                             {{"variable", std::string(seen.name)}, {"other", std::string(other)}});
      context.explain_calls(finding, seen.event);
      context.report(std::move(finding));
    }
  }
}

}  // namespace vramlint::rules
