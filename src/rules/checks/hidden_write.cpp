// SPDX-License-Identifier: MIT
//
// `os.putenv` changes what the C library sees and not `os.environ`, which Python code reads and
// hands to children.
#include "rules/check.h"
#include "rules/source_edits.h"

namespace vramlint::rules {

namespace {

/// `os.putenv(name, value)` becomes `os.environ[name] = value`.
std::optional<RawFix> as_subscript(const CheckContext& context, replay::Place place) {
  const std::string_view text = context.text(place);
  const std::optional<WrittenCall> call = read_call(text);
  constexpr std::string_view name = ".putenv";
  const std::string_view callee = text.substr(0, call ? call->callee.end : 0);
  if (!callee.ends_with(name) || !own_lines(context, place)) return std::nullopt;
  const bool plain = !call->unpacks && call->arguments.size() == 2 &&
                     call->arguments[0].keyword.empty() && call->arguments[1].keyword.empty();
  if (!plain) return std::nullopt;
  const auto written = [&](const WrittenArgument& argument) {
    return std::string(text.substr(argument.value.begin, argument.value.size()));
  };
  const std::string module(callee.substr(0, callee.size() - name.size()));
  return fix_of(
      Applicability::safe, "write to `os.environ`", place,
      module + ".environ[" + written(call->arguments[0]) + "] = " + written(call->arguments[1]));
}

}  // namespace

void check_hidden_write(CheckContext& context) {
  for (const replay::Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::variable_write) continue;
    if (seen.form != replay::WriteForm::putenv) continue;
    if (context.knowledge.variable(seen.name) == nullptr || context.comes_too_late(seen)) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"variable", std::string(seen.name)}});
    context.explain_calls(finding, seen.event);
    finding.fix = as_subscript(context, context.event(seen.event).place);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
