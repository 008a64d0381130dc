// SPDX-License-Identifier: MIT
//
// The private call that changes allocator settings while the program runs: it takes back what it is
// not told again, and it moves between releases.
#include <algorithm>

#include "rules/check.h"
#include "settings/allocator_string.h"

namespace vramlint::rules {
namespace {

using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

/// The settings that a call gives, where they are known.
const KnownValue* settings_of(const Observation& call) {
  const KnownValue* value = argument_of(call, "env", 0);
  return value != nullptr && value->kind == KnownValue::Kind::text ? value : nullptr;
}

std::vector<const knowledge::AllocatorKeyRow*> keys_in(const CheckContext& context,
                                                       std::string_view text) {
  std::vector<const knowledge::AllocatorKeyRow*> keys;
  const settings::AllocatorReading reading =
      settings::read_allocator_string(text, context.torch(), context.knowledge.allocator_tables());
  for (const settings::Pair& pair : reading.pairs) {
    if (pair.row != nullptr) keys.push_back(pair.row);
  }
  return keys;
}

/// What set the options that this call takes back: an earlier call, or the variable.
struct Earlier {
  const Observation* seen = nullptr;
  std::string lost;  ///< key
};

Earlier lost_by(const CheckContext& context, size_t index) {
  const std::vector<Observation>& all = context.timeline.observations;
  const KnownValue* now = settings_of(all[index]);
  if (now == nullptr) return {};
  const auto kept = keys_in(context, now->text);
  for (size_t i = index; i-- > 0;) {
    if (all[i].process != all[index].process) continue;
    const bool is_setter = all[i].kind == ObservationKind::call && context.is_about(all[i].name);
    const knowledge::VariableRow* variable = context.knowledge.variable(all[i].name);
    const bool is_variable = all[i].kind == ObservationKind::variable_write &&
                             variable != nullptr && variable->allocator_string &&
                             all[i].value.kind == KnownValue::Kind::text;
    if (!is_setter && !is_variable) continue;
    const KnownValue* before = is_setter ? settings_of(all[i]) : &all[i].value;
    if (before == nullptr) return {};
    for (const knowledge::AllocatorKeyRow* key : keys_in(context, before->text)) {
      if (!key->reset_by_setter || std::ranges::find(kept, key) != kept.end()) continue;
      return {&all[i], std::string(key->name)};
    }
    return {};
  }
  return {};
}

void check_resets(CheckContext& context, size_t index) {
  const Observation& seen = context.timeline.observations[index];
  const Earlier earlier = lost_by(context, index);
  if (earlier.seen == nullptr) return;
  RawFinding finding =
      context.finding_at(context.event(seen.event).place, context.severity(),
                         {{"call", std::string(seen.name)}, {"key", earlier.lost}});
  finding.related.push_back({context.event(earlier.seen->event).place, "set here"});
  context.explain_calls(finding, seen.event);
  context.report(std::move(finding));
}

void check_swallowed(CheckContext& context, const Observation& seen) {
  if (!seen.guards.silent) return;
  RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                          {{"call", std::string(seen.name)}});
  context.explain_calls(finding, seen.event);
  context.report(std::move(finding));
}

}  // namespace

void check_runtime_setter(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  const bool resets = context.page.name == "setter-resets-other-keys";
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind != ObservationKind::call || !context.is_about(all[i].name)) continue;
    if (resets) {
      check_resets(context, i);
    } else {
      check_swallowed(context, all[i]);
    }
  }
}

}  // namespace vramlint::rules
