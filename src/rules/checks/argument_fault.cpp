// SPDX-License-Identifier: MIT
//
// An argument that a call refuses or takes without effect, as the rows of
// `rules/knowledge/argument_faults.toml` say.
#include <algorithm>

#include "rules/check.h"
#include "settings/releases.h"

namespace vramlint::rules {
namespace {

using knowledge::ArgumentFault;
using knowledge::ArgumentFaultRow;
using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

bool is_number(const KnownValue& value) {
  return value.kind == KnownValue::Kind::integer || value.kind == KnownValue::Kind::real;
}

double number_of(const KnownValue& value) {
  return value.kind == KnownValue::Kind::real ? value.real : static_cast<double>(value.integer);
}

bool is_at_fault(const ArgumentFaultRow& row, const KnownValue& value) {
  using Kind = KnownValue::Kind;
  const bool is_text = value.kind == Kind::text;
  switch (row.fault) {
    case ArgumentFault::always:
    case ArgumentFault::given: return true;
    case ArgumentFault::boolean: return value.kind == Kind::boolean;
    case ArgumentFault::integer: return value.kind == Kind::integer || value.kind == Kind::boolean;
    case ArgumentFault::text: return is_text;
    case ArgumentFault::below: return is_number(value) && number_of(value) < row.bound;
    case ArgumentFault::above: return is_number(value) && number_of(value) > row.bound;
    case ArgumentFault::equal: return value.kind == Kind::real && value.real == row.bound;
    case ArgumentFault::word: return is_text && value.text == row.word;
    case ArgumentFault::other_word:
      return is_text && std::ranges::find(row.words, value.text) == row.words.end();
  }
  return false;
}

bool holds(const CheckContext& context, const ArgumentFaultRow& row, const Observation& call) {
  if (row.rule != context.page.name) return false;
  if (std::ranges::find(row.calls, call.name) == row.calls.end()) return false;
  if (row.fault != ArgumentFault::always) {
    const KnownValue* value = argument_of(call, row.argument, row.position);
    if (value == nullptr || !is_at_fault(row, *value)) return false;
  }
  const bool is_inside = std::ranges::find(call.contexts, row.inside) != call.contexts.end();
  if (!row.inside.empty() && !is_inside) return false;
  if (row.after_boolean) {
    const KnownValue* first = argument_of(call, "enabled", 0);
    if (first == nullptr || first->kind != KnownValue::Kind::boolean) return false;
  }
  const replay::MomentState& reached = call.moments[static_cast<size_t>(row.unless_reached)];
  if (row.unless_reached != knowledge::Moment::process_start &&
      (reached.certainty != replay::Certainty::no || call.uncalled || call.conditional)) {
    return false;
  }
  return true;
}

void report(CheckContext& context, const ArgumentFaultRow& row, const Observation& call) {
  const Releases releases = context.releases_in(row.torch);
  if (releases.none || call.guards.runtime_error) return;
  auto severity = severity_of(row.severity);
  if (!releases.all) severity = std::min(severity, diagnostics::Severity::warning);
  RawFinding finding =
      context.finding_at(context.event(call.event).place, severity,
                         {{"call", std::string(call.name)}, {"problem", std::string(row.message)}});
  if (!releases.all) finding.torch = releases.text;
  context.explain_calls(finding, call.event);
  context.report(std::move(finding));
}

}  // namespace

void check_argument_fault(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != ObservationKind::call) continue;
    for (const ArgumentFaultRow& row : context.knowledge.argument_faults()) {
      if (!holds(context, row, seen)) continue;
      report(context, row, seen);
      break;
    }
  }
}

}  // namespace vramlint::rules
