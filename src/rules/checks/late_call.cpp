// SPDX-License-Identifier: MIT
//
// A call that fails, or does not help, once something has happened. Which calls the page says;
// after what, and with which argument, a row of `rules/knowledge/calls.toml`.
#include <algorithm>
#include <charconv>

#include "rules/check.h"

namespace vramlint::rules {
namespace {

using replay::Certainty;
using replay::KnownValue;

/// Whether the value is the one that a row writes as source text: `True`, `1.0`, `"fork"`, `>1`.
bool is_value(const KnownValue& value, std::string_view text) {
  if (value.kind == KnownValue::Kind::text) return text == '"' + std::string(value.text) + '"';
  if (text.starts_with('>')) {
    int64_t bound = 0;
    std::from_chars(text.data() + 1, text.data() + text.size(), bound);
    return value.kind == KnownValue::Kind::integer && value.integer > bound;
  }
  if (value.kind == KnownValue::Kind::boolean)
    return text == (value.integer != 0 ? "True" : "False");
  double number = 0;
  const std::from_chars_result read =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return value.kind == KnownValue::Kind::real && read.ec == std::errc() && value.real == number;
}

/// Whether the call has the argument that the row asks for.
Certainty has_argument(const replay::Observation& call, const knowledge::CallRow& row) {
  if (row.when_argument.empty()) return Certainty::yes;
  const bool negated = row.when_value.starts_with('!');
  const KnownValue* given = argument_of(call, row.when_argument, row.when_position);
  if (given == nullptr) return negated ? Certainty::yes : Certainty::no;
  // A word or number nobody writes by chance.
  const bool is_special = row.when_value.starts_with('"') || row.when_value.starts_with('>');
  if (given->kind == KnownValue::Kind::unknown)
    return is_special ? Certainty::no : Certainty::perhaps;
  const bool is_it = is_value(*given, row.when_value.substr(negated ? 1 : 0));
  return is_it == negated ? Certainty::no : Certainty::yes;
}

}  // namespace

void check_late_call(CheckContext& context) {
  for (const replay::Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::call || !context.is_about(seen.name)) continue;
    if (seen.guards.runtime_error) continue;  // the failure is expected
    for (const knowledge::CallRow* row : context.knowledge.calls_named(seen.name)) {
      if (!row->torch.contains(context.torch())) continue;
      for (const knowledge::Moment moment : row->too_late_after) {
        const replay::MomentState& state = seen.moments[static_cast<size_t>(moment)];
        const Certainty certainty = std::min(state.certainty, has_argument(seen, *row));
        const bool counts = context.counts(state, context.event(seen.event).place);
        if (certainty == Certainty::no || !counts) continue;
        const auto severity = context.severity_of(seen, certainty);
        const std::string name(seen.name.substr(seen.name.rfind('.') + 1));
        RawFinding finding =
            context.finding_at(context.event(seen.event).place, severity, {{"call", name}});
        context.explain_event(finding, state, moment);
        context.explain_calls(finding, seen.event);
        context.report(std::move(finding));
      }
    }
  }
}

}  // namespace vramlint::rules
