// SPDX-License-Identifier: MIT
//
// `%env` takes the rest of its line as it is: quotes and comments become part of the value.
#include "frontends/notebook_magics.h"
#include "rules/check.h"
#include "rules/source_edits.h"

namespace vramlint::rules {

void check_notebook_env_value(CheckContext& context) {
  using frontends::Magic;
  for (const replay::Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::variable_write) continue;
    const replay::Place place = context.event(seen.event).place;
    const std::string_view text = context.text(place);
    const knowledge::VariableRow* row = context.knowledge.variable(seen.name);
    if (row == nullptr || !text.starts_with('%')) continue;
    const Magic magic = frontends::magic_at(text, 0);
    if (magic.kind != Magic::Kind::set_variable) continue;
    const std::optional<frontends::MeantValue> meant = frontends::meant_by(text, magic);
    if (!meant) continue;
    const bool quoted = meant->kept == frontends::KeptByEnv::quotes;
    // An allocator that meets a quote stops the program.
    const diagnostics::Severity severity =
        row->allocator_string ? context.severity() : diagnostics::Severity::warning;
    const TextSpan value{magic.value.begin, magic.value.end};
    RawFinding finding = context.finding_at(
        part_of(place, value), severity,
        {{"variable", std::string(seen.name)},
         {"kept", quoted ? "the quotes are" : "the comment is"},
         {"value", std::string(text.substr(meant->value.begin, meant->value.size()))}});
    if (meant->value.size() > 0) {
      finding.fix = fix_of(Applicability::safe, "leave only the value", finding.place,
                           std::string(text.substr(meant->value.begin, meant->value.size())));
    }
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
