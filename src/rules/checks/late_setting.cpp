// SPDX-License-Identifier: MIT
//
// A variable written after the moment at which it was read. Which variables, and when each is read,
// the page and `rules/knowledge/variables.toml` say.
#include <algorithm>

#include "rules/check.h"
#include "rules/source_edits.h"
#include "settings/allocator_string.h"

namespace vramlint::rules {
namespace {

using replay::Certainty;
using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

bool is_text(const KnownValue& value, std::string_view text) {
  return value.kind == KnownValue::Kind::text && value.text == text;
}

/// A call in the program does what the variable would have done; an allocator string counts when it
/// is the very one that the call is given.
bool is_done_by_call(const CheckContext& context, const knowledge::VariableRow& row,
                     const Observation& write) {
  if (row.same_as_call.empty()) return false;
  const std::string_view written = context.text(context.event(write.event).place);
  const auto is_given = [&](const Observation& call) {
    const std::string_view text = context.text(context.event(call.event).place);
    const size_t begin = text.find('(');
    return begin != std::string_view::npos && text.size() > begin + 2 &&
           written.find(text.substr(begin + 1, text.size() - begin - 2)) != std::string_view::npos;
  };
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
    return seen.kind == ObservationKind::call && seen.name == row.same_as_call &&
           seen.process == write.process && (!row.allocator_string || is_given(seen));
  });
}

/// An allocator string of which nothing is read at the variable's own moment: `late_key` judges it.
bool is_read_elsewhere(const CheckContext& context, const knowledge::VariableRow& row,
                       const KnownValue& value) {
  if (!row.allocator_string || value.kind != KnownValue::Kind::text) return false;
  const settings::AllocatorReading reading = settings::read_allocator_string(
      value.text, context.torch(), context.knowledge.allocator_tables());
  return !reading.pairs.empty() &&
         std::all_of(reading.pairs.begin(), reading.pairs.end(), [&](const settings::Pair& pair) {
           return pair.row != nullptr && pair.row->read_at != row.read_at;
         });
}

/// In a function of another file, on some path only, when nobody calls the one that leads there:
/// where that file is the entry it is judged by what is known there.
bool is_far_and_unlikely(const CheckContext& context, const Observation& seen) {
  return seen.uncalled && seen.conditional &&
         context.event(seen.event).place.file != context.timeline.entry;
}

}  // namespace

void check_late_setting(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != ObservationKind::variable_write || !context.is_about(seen.name)) continue;
    const knowledge::VariableRow* row = context.knowledge.variable(seen.name);
    if (row == nullptr || row->late == knowledge::LateWrite::harmless) continue;
    if (!row->torch.contains(context.torch())) continue;
    if (is_far_and_unlikely(context, seen)) continue;
    const replay::MomentState& read = seen.moments[static_cast<size_t>(row->read_at)];
    if (!context.counts(read, context.event(seen.event).place)) continue;
    if (!row->off_value.empty() && is_text(seen.value, row->off_value)) continue;
    const KnownValue& in_force = seen.in_force[static_cast<size_t>(row->read_at)];
    if (in_force.kind == KnownValue::Kind::text && is_text(seen.value, in_force.text)) continue;
    if (is_read_elsewhere(context, *row, seen.value) || context.reaches_child(seen)) continue;
    if (is_done_by_call(context, *row, seen)) continue;
    const auto severity = context.severity_of(seen, read.certainty);
    RawFinding finding = context.finding_at(context.event(seen.event).place, severity,
                                            {{"variable", std::string(seen.name)}});
    context.explain_event(finding, read, row->read_at);
    context.explain_calls(finding, seen.event);
    finding.fix = moved_before(context, seen, read.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
