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

/// Source text, as rows have it: texts in double quotes.
std::string source_text(const KnownValue& value) {
  switch (value.kind) {
    case KnownValue::Kind::none: return "None";
    case KnownValue::Kind::text: return '"' + std::string(value.text) + '"';
    case KnownValue::Kind::boolean: return value.integer != 0 ? "True" : "False";
    case KnownValue::Kind::integer: return std::to_string(value.integer);
    case KnownValue::Kind::other: return std::string(value.text);
    default: return std::string();
  }
}

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
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
    case ArgumentFault::other_word: return is_text && !contains(row.words, value.text);
    case ArgumentFault::one_of: return contains(row.words, source_text(value));
    case ArgumentFault::missing: return false;
  }
  return false;
}

bool has_fault(const ArgumentFaultRow& row, const Observation& call) {
  if (row.fault == ArgumentFault::always) return true;
  const KnownValue* value = argument_of(call, row.argument, row.position);
  if (row.fault == ArgumentFault::missing) return value == nullptr && !call.written.open_arguments;
  return value != nullptr && is_at_fault(row, *value);
}

bool other_arguments_fit(const ArgumentFaultRow& row, const Observation& call) {
  for (const std::string_view name : row.unless_arguments) {
    if (argument_of(call, name, -1) != nullptr) return false;
  }
  if (row.other_argument.empty()) return true;
  const KnownValue* value = argument_of(call, row.other_argument, row.other_position);
  if (value != nullptr) return contains(row.other_values, source_text(*value));
  return !call.written.open_arguments && contains(row.other_values, "missing");
}

bool is_within(const ArgumentFaultRow& row, const Observation& call) {
  if (row.within.empty()) return true;
  return (call.loop && contains(row.within, "loop")) ||
         (!call.written.function.empty() && contains(row.within, call.written.function));
}

/// What else the program does.
bool company_fits(const CheckContext& context, const ArgumentFaultRow& row,
                  const Observation& call) {
  if (row.beside.empty() && row.unless_called.empty()) return true;
  bool found = row.beside.empty();
  bool is_past = false;
  for (const Observation& seen : context.timeline.observations) {
    is_past = is_past || &seen == &call;
    if (seen.kind != ObservationKind::call) continue;
    if (contains(row.unless_called, seen.name)) return false;
    if (!contains(row.beside, seen.name)) continue;
    if (row.beside_first && (is_past || seen.process != call.process || seen.conditional)) continue;
    const KnownValue* value = argument_of(seen, row.beside_argument, -1);
    if (row.beside_argument.empty() ||
        (value != nullptr && source_text(*value) == row.beside_value)) {
      found = true;
    }
  }
  return found;
}

/// What stands behind a question about the release is meant for another one.
bool asks_for_version(const CheckContext& context, const Observation& call) {
  return std::ranges::any_of(call.conditions, [&](replay::Place condition) {
    return context.text(condition).find("version") != std::string_view::npos;
  });
}

bool holds(const CheckContext& context, const ArgumentFaultRow& row, const Observation& call) {
  if (row.rule != context.page.name) return false;
  if (!contains(row.calls, call.name) || !has_fault(row, call)) return false;
  if (!other_arguments_fit(row, call) || !is_within(row, call)) return false;
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
  if (call.written.rounds < row.rounds) return false;
  if (asks_for_version(context, call)) return false;
  const auto& receiver = call.written.receiver;
  if (row.on_gpu && (!receiver || receiver->device != replay::Device::cuda)) return false;
  if (row.result_used &&
      (!call.written.assigned_to || context.text(*call.written.assigned_to) == "_"))
    return false;
  if (!row.platform.empty() && row.platform != knowledge::name_of(context.target.platform))
    return false;
  return company_fits(context, row, call);
}

/// A method of anything as `x.method`.
std::string shown_name(std::string_view name) {
  return (name.starts_with('.') ? "x" : "") + std::string(name);
}

void report(CheckContext& context, const ArgumentFaultRow& row, const Observation& call) {
  const Releases releases = context.releases_in(row.torch);
  auto severity = severity_of(row.severity);
  const bool is_expected = severity == diagnostics::Severity::error && call.guards.runtime_error;
  if (releases.none || is_expected) return;
  if (!releases.all) severity = std::min(severity, diagnostics::Severity::warning);
  RawFinding finding =
      context.finding_at(context.event(call.event).place, severity,
                         {{"call", shown_name(call.name)}, {"problem", std::string(row.message)}});
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
