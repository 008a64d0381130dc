// SPDX-License-Identifier: MIT
//
// What a launch file sets for a script, and the script sets to something else in time.
#include <algorithm>

#include "rules/check.h"

namespace vramlint::rules {
namespace {

using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;
using replay::WriteForm;

bool is_launched(const CheckContext& context, const Observation& seen) {
  const replay::Place place = context.event(seen.event).place;
  return text::launches(context.timeline.files[place.file]->language());
}

bool is_asked(const CheckContext& context, std::string_view name) {
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
    return seen.kind == ObservationKind::variable_asked && seen.name == name;
  });
}

bool overwrites(const CheckContext& context, const Observation& launched, const Observation& seen) {
  const bool sets = seen.form == WriteForm::subscript || seen.form == WriteForm::update ||
                    seen.form == WriteForm::merge;
  if (seen.kind != ObservationKind::variable_write || seen.name != launched.name || !sets)
    return false;
  if (seen.process != launched.process || seen.conditional || seen.uncalled) return false;
  const bool known =
      seen.value.kind == KnownValue::Kind::text && launched.value.kind == KnownValue::Kind::text;
  return known && seen.value.text != launched.value.text && !context.comes_too_late(seen) &&
         !is_asked(context, seen.name);
}

}  // namespace

void check_launcher_overwritten(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  const bool has_script =
      text::Language::python == context.timeline.files[context.timeline.entry]->language();
  if (!has_script) return;
  for (const Observation& launched : all) {
    if (launched.kind != ObservationKind::variable_write || !is_launched(context, launched))
      continue;
    const auto found = std::ranges::find_if(
        all, [&](const Observation& seen) { return overwrites(context, launched, seen); });
    if (found == all.end()) continue;
    RawFinding finding = context.finding_at(
        context.event(launched.event).place, context.severity(),
        {{"variable", std::string(launched.name)}, {"value", std::string(found->value.text)}});
    finding.related.push_back({context.event(found->event).place, "set anew here"});
    context.explain_calls(finding, found->event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
