// SPDX-License-Identifier: MIT
//
// A value of a variable that does something else than its name seems to say, or that stays on after
// the debugging. `rules/knowledge/variable_values.toml` has the values.
#include <algorithm>
#include <charconv>

#include "rules/check.h"
#include "rules/source_edits.h"

namespace vramlint::rules {
namespace {

using knowledge::VariableValueRow;
using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

bool is_called(const CheckContext& context, std::span<const std::string_view> names) {
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
    return seen.kind == ObservationKind::call && std::ranges::find(names, seen.name) != names.end();
  });
}

/// The variable gets another value later, or is taken out: what is set here is meant for a while.
bool is_for_a_while(const CheckContext& context, size_t index) {
  const std::vector<Observation>& all = context.timeline.observations;
  return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(index) + 1, all.end(),
                     [&](const Observation& later) {
                       const bool changes = later.kind == ObservationKind::variable_write ||
                                            later.kind == ObservationKind::variable_removal;
                       return changes && later.name == all[index].name &&
                              later.event != all[index].event &&
                              later.process == all[index].process;
                     });
}

bool is_set(const CheckContext& context, std::string_view name) {
  return !name.empty() &&
         std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
           const bool writes = seen.kind == ObservationKind::variable_write ||
                               seen.kind == ObservationKind::child_variable_write;
           return writes && seen.name == name;
         });
}

bool has_value(const VariableValueRow& row, std::string_view text) {
  if (!row.values.empty()) return std::ranges::find(row.values, text) != row.values.end();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && number > row.above && number < row.below;
}

bool holds(const CheckContext& context, const VariableValueRow& row, size_t index) {
  const Observation& seen = context.timeline.observations[index];
  if (row.rule != context.page.name || row.variable != seen.name) return false;
  if (!has_value(row, seen.value.text) || is_set(context, row.unless_set)) return false;
  if (row.only_unconditional) {
    if (seen.conditional || seen.uncalled || seen.form == replay::WriteForm::set_default)
      return false;
    if (seen.in_test || context.is_lost(seen) || is_for_a_while(context, index)) return false;
  }
  return !is_called(context, row.unless_called);
}

/// What fails does so for certain only where the write is made for certain.
diagnostics::Severity severity_for(const CheckContext& context, const VariableValueRow& row,
                                   const Observation& seen) {
  const diagnostics::Severity most = severity_of(row.severity);
  const bool is_certain = !seen.conditional && !seen.uncalled &&
                          seen.kind == ObservationKind::variable_write && !context.is_lost(seen);
  return is_certain ? most : std::min(most, diagnostics::Severity::warning);
}

/// Whether the statement itself says which variable gets which value. One that is given them writes
/// other variables as well: `def set_env(key, value): os.environ[key] = value`.
bool says_both(const CheckContext& context, const Observation& seen) {
  const std::string_view text = context.text(context.event(seen.event).place);
  const std::optional<size_t> name = only_word(text, seen.name);
  return name && text.find(seen.value.text, *name + seen.name.size()) != std::string_view::npos;
}

std::optional<RawFix> remedy(const CheckContext& context, const VariableValueRow& row,
                             const Observation& seen) {
  if (row.fix == knowledge::FixSafety::none) return std::nullopt;
  const auto applicability =
      row.fix == knowledge::FixSafety::safe ? Applicability::safe : Applicability::unsafe;
  if (!row.instead.empty()) return with_value(context, seen, row.instead, applicability);
  const bool stands_alone = seen.form == replay::WriteForm::subscript ||
                            seen.form == replay::WriteForm::set_default ||
                            seen.form == replay::WriteForm::putenv;
  if (!stands_alone || seen.kind != ObservationKind::variable_write) return std::nullopt;
  if (!says_both(context, seen)) return std::nullopt;
  return without_statement(context, context.event(seen.event).place, applicability,
                           "take the write out");
}

}  // namespace

void check_variable_value(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    const Observation& seen = all[i];
    const bool write = seen.kind == ObservationKind::variable_write ||
                       seen.kind == ObservationKind::child_variable_write;
    if (!write || seen.value.kind != KnownValue::Kind::text || !context.is_about(seen.name))
      continue;
    for (const VariableValueRow& row : context.knowledge.variable_values()) {
      if (!holds(context, row, i)) continue;
      const Releases releases = context.releases_in(row.torch);
      if (releases.none) continue;
      RawFinding finding =
          context.finding_at(context.event(seen.event).place, severity_for(context, row, seen),
                             {{"variable", std::string(seen.name)},
                              {"value", std::string(seen.value.text)},
                              {"problem", std::string(row.message)}});
      if (!releases.all) finding.torch = releases.text;
      context.explain_calls(finding, seen.event);
      finding.fix = remedy(context, row, seen);
      context.report(std::move(finding));
      break;
    }
  }
}

}  // namespace vramlint::rules
