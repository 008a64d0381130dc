// SPDX-License-Identifier: MIT
//
// An argument that a call refuses or takes without effect, as the rows of
// `rules/knowledge/argument_faults.toml` say.
#include <algorithm>
#include <array>

#include "rules/check.h"
#include "rules/source_edits.h"
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

/// With `"` for `'`, as rows have it.
std::string written_text(const CheckContext& context, const replay::ObservedArgument& given) {
  if (!given.written) return {};
  std::string text(context.text(*given.written));
  std::ranges::replace(text, '\'', '"');
  return text;
}

/// `int` for `int(x)`, where the value itself does not tell.
std::string_view callee_of(std::string_view text) {
  const std::optional<WrittenCall> call = read_call(text);
  const bool is_plain = call && call->arguments.size() == 1 && !call->unpacks;
  return is_plain ? text.substr(call->callee.begin, call->callee.size()) : std::string_view();
}

bool is_at_fault(const CheckContext& context, const ArgumentFaultRow& row,
                 const replay::ObservedArgument& given) {
  using Kind = KnownValue::Kind;
  const KnownValue& value = given.value;
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
    case ArgumentFault::written: return contains(row.words, written_text(context, given));
    case ArgumentFault::made_by:
      return contains(row.words, given.made_by) ||
             (value.kind == Kind::unknown &&
              contains(row.words, callee_of(written_text(context, given))));
    case ArgumentFault::tensor:
      return value.kind == Kind::other && given.made_by.empty() &&
             given.device != replay::Device::other && given.device != replay::Device::unknown;
  }
  return false;
}

bool has_fault(const CheckContext& context, const ArgumentFaultRow& row, const Observation& call) {
  if (row.fault == ArgumentFault::always) return true;
  const replay::ObservedArgument* given = given_argument(call, row.argument, row.position);
  if (row.fault == ArgumentFault::missing) return given == nullptr && !call.written.open_arguments;
  return given != nullptr && is_at_fault(context, row, *given);
}

/// Whether this is done in the handler that the other observation is: `MemoryError.__except__`.
bool is_in_handler(const CheckContext& context, const Observation& seen,
                   const Observation& handler) {
  const std::string_view caught = handler.name.substr(0, handler.name.rfind('.'));
  const replay::Place place = context.event(seen.event).place;
  const replay::Place type = context.event(handler.event).place;
  return seen.handling == caught && place.file == type.file && place.span.begin > type.span.end;
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
    if (row.beside_in_handler && !is_in_handler(context, seen, call)) continue;
    if (row.beside_first && (is_past || seen.process != call.process || seen.conditional)) continue;
    const KnownValue* value = argument_of(seen, row.beside_argument, -1);
    if (row.beside_argument.empty() ||
        (value != nullptr && source_text(*value) == row.beside_value)) {
      found = true;
    }
  }
  return found;
}

/// Whether the program makes the same call with another value: then this one takes that back.
bool takes_back(const CheckContext& context, const ArgumentFaultRow& row, const Observation& call) {
  if (row.remedy != knowledge::ArgumentRemedy::drop_call || row.fault == ArgumentFault::always)
    return false;
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
    return seen.kind == ObservationKind::call && seen.event != call.event &&
           contains(row.calls, seen.name) && !has_fault(context, row, seen);
  });
}

/// What stands behind a question about the release is meant for another one.
bool asks_for_version(const CheckContext& context, const Observation& call) {
  return std::ranges::any_of(call.conditions, [&](replay::Place condition) {
    return context.text(condition).find("version") != std::string_view::npos;
  });
}

bool holds(const CheckContext& context, const ArgumentFaultRow& row, const Observation& call) {
  if (row.rule != context.page.name) return false;
  if (!contains(row.calls, call.name) || !has_fault(context, row, call)) return false;
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
  if (asks_for_version(context, call) || takes_back(context, row, call)) return false;
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

/// A number as a part of the whole: `1` gives `1.0`. Others say something that nobody can know.
std::string as_float(const KnownValue* value) {
  const bool is_part = value != nullptr && value->kind == KnownValue::Kind::integer &&
                       (value->integer == 0 || value->integer == 1);
  return is_part ? std::to_string(value->integer) + ".0" : std::string();
}

/// `"0.8"` gives `0.8`.
std::string unquoted(const KnownValue* value) {
  if (value == nullptr || value->kind != KnownValue::Kind::text) return {};
  const std::string_view text = value->text;
  const bool is_number = text.find_first_not_of("0123456789.") == std::string_view::npos &&
                         std::ranges::count(text, '.') == 1 && text.size() > 1;
  return is_number ? std::string(text) : std::string();
}

std::string as_word(const KnownValue* value, std::string_view instead) {
  if (value == nullptr || value->kind != KnownValue::Kind::boolean) return {};
  return value->integer != 0 ? std::string(instead) : "None";
}

/// Whether the value itself stands in the call, and not a name for it.
bool is_literal(const CheckContext& context, replay::Place place, std::string_view name,
                int position) {
  const std::string_view text = context.text(place);
  const std::optional<WrittenCall> call = read_call(text);
  const WrittenArgument* argument = call ? call->argument(name, position) : nullptr;
  if (argument == nullptr) return false;
  const std::string_view value = text.substr(argument->value.begin, argument->value.size());
  // What goes through the older form takes options that the newer one does not know.
  if (text.find("trace_alloc") != std::string_view::npos) return false;
  return value == "True" || value == "False" ||
         value.find_first_not_of("0123456789.'\"") == std::string_view::npos;
}

/// `call(name=x)` becomes `call(x)`.
std::optional<RawFix> by_position(const CheckContext& context, replay::Place place,
                                  std::string_view name, Applicability applicability) {
  const std::optional<WrittenCall> call = read_call(context.text(place));
  const WrittenArgument* argument = call ? call->argument(name, -1) : nullptr;
  if (argument == nullptr || call->arguments.size() != 1) return std::nullopt;
  return fix_of(applicability, "give it by position",
                part_of(place, {argument->whole.begin, argument->value.begin}), "");
}

/// `x = x.call()` becomes `x.call()`.
std::optional<RawFix> not_assigned(const CheckContext& context, const Observation& call,
                                   replay::Place place, Applicability applicability) {
  const auto& receiver = call.written.receiver;
  if (!call.written.assigned_to || !receiver || !receiver->written) return std::nullopt;
  const replay::Place name = *call.written.assigned_to;
  if (context.text(name) != context.text(*receiver->written)) return std::nullopt;
  const replay::Place whole{place.file, {name.span.begin, place.span.end}};
  if (!own_lines(context, whole)) return std::nullopt;
  const std::string_view between = context.text({place.file, {name.span.end, place.span.begin}});
  if (between.find_first_not_of(" =") != std::string_view::npos) return std::nullopt;
  return fix_of(applicability, "call it as a statement",
                {place.file, {name.span.begin, place.span.begin}}, "");
}

/// Whether code of a definition, of an import or of PyTorch is all that stands above the line: then
/// nothing has happened that nobody knows of.
bool is_all_known_above(std::string_view text) {
  constexpr std::array<std::string_view, 6> definitions = {"def ", "class ",  "async ",
                                                           "@",    "import ", "from "};
  bool in_definition = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t indent = line.find_first_not_of(" \t\r");
    if (indent == std::string_view::npos || (indent > 0 && in_definition)) continue;
    const std::string_view code = line.substr(indent);
    in_definition = std::ranges::any_of(
        definitions, [&](std::string_view word) { return code.starts_with(word); });
    const bool calls = code.substr(0, code.find('#')).find('(') != std::string_view::npos;
    if (!in_definition && calls && !code.starts_with("torch.") && !code.starts_with("os."))
      return false;
  }
  return true;
}

std::optional<RawFix> remedy(const CheckContext& context, const ArgumentFaultRow& row,
                             const Observation& call) {
  using knowledge::ArgumentRemedy;
  if (row.fix == knowledge::FixSafety::none) return std::nullopt;
  const auto applicability =
      row.fix == knowledge::FixSafety::safe ? Applicability::safe : Applicability::unsafe;
  const replay::Place place = context.event(call.event).place;
  const bool other = !row.remedy_argument.empty();
  const std::string_view name = other ? row.remedy_argument : row.argument;
  const int position = other ? row.remedy_position : row.position;
  const KnownValue* value = argument_of(call, name, position);
  std::string instead;
  switch (row.remedy) {
    case ArgumentRemedy::none: return std::nullopt;
    case ArgumentRemedy::leave_out:
      return without_argument(context, place, name, position, applicability);
    case ArgumentRemedy::drop_call:
      // What a function does depends on who calls it, and when.
      if (!call.written.function.empty() || call.in_library) return std::nullopt;
      if (row.unless_reached != knowledge::Moment::process_start &&
          !is_all_known_above(context.text({place.file, {0, place.span.begin}})))
        return std::nullopt;
      return without_statement(context, place, applicability, "take the call out");
    case ArgumentRemedy::add:
      return with_argument(context, place, std::string(row.instead), applicability);
    case ArgumentRemedy::unnamed: return by_position(context, place, name, applicability);
    case ArgumentRemedy::rebound: return not_assigned(context, call, place, applicability);
    case ArgumentRemedy::as_float: instead = as_float(value); break;
    case ArgumentRemedy::unquoted: instead = unquoted(value); break;
    case ArgumentRemedy::boolean: instead = as_word(value, row.instead); break;
  }
  if (instead.empty() || !is_literal(context, place, name, position)) return std::nullopt;
  return with_argument_value(context, place, name, position, instead, applicability);
}

void report(CheckContext& context, const ArgumentFaultRow& row, const Observation& call) {
  const Releases releases = context.releases_in(row.torch);
  auto severity = severity_of(row.severity);
  const bool is_expected = severity == diagnostics::Severity::error && call.guards.runtime_error;
  if (releases.none || is_expected || call.guards.expected) return;
  if (!releases.all) severity = std::min(severity, diagnostics::Severity::warning);
  RawFinding finding =
      context.finding_at(context.event(call.event).place, severity,
                         {{"call", shown_name(call.name)}, {"problem", std::string(row.message)}});
  if (!releases.all) finding.torch = releases.text;
  context.explain_calls(finding, call.event);
  finding.fix = remedy(context, row, call);
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
