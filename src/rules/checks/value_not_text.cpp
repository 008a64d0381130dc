// SPDX-License-Identifier: MIT
//
// `os.environ[NAME] = 0`: an environment takes text alone, and Python says so by an exception.
// Kubernetes says so of a manifest.
#include <algorithm>

#include "rules/check.h"
#include "rules/source_edits.h"

namespace vramlint::rules {
namespace {

using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

/// How a value that is no text is written; empty for texts and for what is not known.
std::string written(const KnownValue& value) {
  switch (value.kind) {
    case KnownValue::Kind::none: return "`None`";
    case KnownValue::Kind::boolean: return value.integer != 0 ? "`True`" : "`False`";
    case KnownValue::Kind::integer: return "the number " + std::to_string(value.integer);
    case KnownValue::Kind::real: return "a number";
    case KnownValue::Kind::unknown:
    case KnownValue::Kind::text:
    case KnownValue::Kind::ending:
    case KnownValue::Kind::device:
    case KnownValue::Kind::other: return {};
  }
  return {};
}

/// Quotes around a number that ends its statement.
std::optional<RawFix> quoted(const CheckContext& context, const Observation& seen) {
  if (seen.kind != ObservationKind::variable_write ||
      seen.value.kind != KnownValue::Kind::integer || seen.form != replay::WriteForm::subscript)
    return std::nullopt;
  const replay::Place place = context.event(seen.event).place;
  const std::string number = std::to_string(seen.value.integer);
  const std::string_view text = context.text(place);
  if (!text.ends_with("= " + number) && !text.ends_with("=" + number)) return std::nullopt;
  const auto size = static_cast<uint32_t>(number.size());
  return fix_of(Applicability::safe, "write it as text",
                {place.file, {place.span.end - size, place.span.end}}, '"' + number + '"');
}

/// `value: 8` of a manifest.
void report_manifest(CheckContext& context, const Observation& seen) {
  const std::string value(seen.value.text);
  RawFinding finding = context.finding_at(
      context.event(seen.event).place,
      seen.conditional ? std::min(context.severity(), diagnostics::Severity::warning)
                       : context.severity(),
      {{"variable", std::string(seen.name)},
       {"value", "`" + value + "`"},
       {"outcome", "Kubernetes refuses the manifest"}});
  if (seen.value.literal)
    finding.fix =
        fix_of(Applicability::safe, "write it as text", *seen.value.literal, '"' + value + '"');
  context.report(std::move(finding));
}

}  // namespace

void check_value_not_text(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind == ObservationKind::variable_unseen && seen.misstep == model::Misstep::not_text)
      report_manifest(context, seen);
    const bool is_given = seen.kind == ObservationKind::variable_write ||
                          seen.kind == ObservationKind::child_variable_passed;
    if (!is_given || seen.in_test) continue;
    const std::string value = written(seen.value);
    if (value.empty() || seen.guards.silent) continue;
    const knowledge::VariableRow* row = context.knowledge.variable(seen.name);
    if (row == nullptr || row->name != seen.name) continue;
    diagnostics::Severity severity = context.severity_of(seen, replay::Certainty::yes);
    if (seen.form == replay::WriteForm::set_default)
      severity = std::min(severity, diagnostics::Severity::warning);
    RawFinding finding = context.finding_at(context.event(seen.event).place, severity,
                                            {{"variable", std::string(seen.name)},
                                             {"value", value},
                                             {"outcome", "the line raises TypeError"}});
    context.explain_calls(finding, seen.event);
    finding.fix = quoted(context, seen);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
