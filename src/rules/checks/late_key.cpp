// SPDX-License-Identifier: MIT
//
// A key of the allocator string that is read at another moment than the rest, written after it:
// `backend` is fixed while `import torch` runs, and PyTorch asserts later that it has not changed.
#include <algorithm>

#include "rules/check.h"
#include "rules/source_edits.h"
#include "settings/allocator_string.h"

namespace vramlint::rules {
namespace {

using replay::Certainty;
using replay::KnownValue;

/// What the string says for the key, or the key's value in force without it.
std::string_view value_of(std::string_view string, const knowledge::AllocatorKeyRow& key,
                          const CheckContext& context) {
  const settings::AllocatorReading reading = settings::read_allocator_string(
      string, context.torch(), context.knowledge.allocator_tables());
  std::string_view value = key.fallback;
  for (const settings::Pair& pair : reading.pairs) {
    if (pair.row == &key) value = string.substr(pair.value.begin, pair.value.size());
  }
  return value;
}

}  // namespace

void check_late_key(CheckContext& context) {
  for (const replay::Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::variable_write || !context.is_about(seen.name))
      continue;
    const knowledge::VariableRow* row = context.knowledge.variable(seen.name);
    if (row == nullptr || !row->torch.contains(context.torch())) continue;
    if (seen.value.kind != KnownValue::Kind::text) continue;
    const settings::AllocatorReading reading = settings::read_allocator_string(
        seen.value.text, context.torch(), context.knowledge.allocator_tables());
    if (!reading.accepted) continue;
    for (const settings::Pair& pair : reading.pairs) {
      if (pair.row == nullptr || pair.row->read_at == row->read_at) continue;
      const auto moment = static_cast<size_t>(pair.row->read_at);
      const replay::MomentState& read = seen.moments[moment];
      if (!context.counts(read, context.event(seen.event).place)) continue;
      const std::string_view value = seen.value.text.substr(pair.value.begin, pair.value.size());
      const std::string_view before = value_of(seen.in_force[moment].text, *pair.row, context);
      if (value == before || context.reaches_child(seen)) continue;
      const auto severity = context.severity_of(seen, read.certainty);
      RawFinding finding = context.finding_at(context.event(seen.event).place, severity,
                                              {{"variable", std::string(seen.name)},
                                               {"value", std::string(value)},
                                               {"before", std::string(before)}});
      context.explain_event(finding, read, pair.row->read_at);
      context.explain_calls(finding, seen.event);
      finding.fix = moved_before(context, seen, read.event);
      context.report(std::move(finding));
    }
  }
}

}  // namespace vramlint::rules
