// SPDX-License-Identifier: MIT
//
// A call under a setting that it can't work with. `rules/knowledge/setting_conflicts.toml` has the
// pairs; here it is only found out what is in force when the call is made.
#include <algorithm>

#include "rules/check.h"
#include "settings/allocator_string.h"

namespace vramlint::rules {
namespace {

using knowledge::SettingConflictRow;
using replay::Certainty;
using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

/// Source text, as rows have it: texts in double quotes.
std::string source_text(const KnownValue& value) {
  switch (value.kind) {
    case KnownValue::Kind::text: return '"' + std::string(value.text) + '"';
    case KnownValue::Kind::boolean: return value.integer != 0 ? "True" : "False";
    case KnownValue::Kind::integer: return std::to_string(value.integer);
    default: return std::string();
  }
}

bool is_the_call(const SettingConflictRow& row, const Observation& seen) {
  if (seen.kind == ObservationKind::tensor_sent) return row.sends_tensor;
  if (std::ranges::find(row.calls, seen.name) == row.calls.end()) return false;
  if (row.argument.empty()) return true;
  const KnownValue* value = argument_of(seen, row.argument, row.position);
  return value != nullptr && std::ranges::find(row.values, source_text(*value)) != row.values.end();
}

/// Whether what is written here is the setting of the row.
bool makes_setting(const CheckContext& context, const SettingConflictRow& row,
                   const Observation& write) {
  if (write.value.kind != KnownValue::Kind::text) return false;
  if (!row.variable.empty()) return write.name == row.variable && write.value.text == row.value;
  const knowledge::VariableRow* variable = context.knowledge.variable(write.name);
  if (variable == nullptr || !variable->allocator_string) return false;
  const settings::AllocatorReading reading = settings::read_allocator_string(
      write.value.text, context.torch(), context.knowledge.allocator_tables());
  return std::ranges::any_of(reading.pairs, [&](const settings::Pair& pair) {
    const std::string_view value = write.value.text.substr(pair.value.begin, pair.value.size());
    return pair.row != nullptr && pair.row->name == row.key && value == row.value;
  });
}

/// The same variable, or the allocator string under any name.
bool is_about_setting(const CheckContext& context, const SettingConflictRow& row,
                      std::string_view name) {
  if (!row.variable.empty()) return name == row.variable;
  const knowledge::VariableRow* variable = context.knowledge.variable(name);
  return variable != nullptr && variable->allocator_string;
}

bool comes_too_late(const CheckContext& context, const Observation& write) {
  const knowledge::VariableRow* variable = context.knowledge.variable(write.name);
  if (variable == nullptr) return false;
  return write.moments[static_cast<size_t>(variable->read_at)].certainty != Certainty::no;
}

/// The write that is in force when the call at `index` is made; null when none makes the setting.
const Observation* setting_before(const CheckContext& context, const SettingConflictRow& row,
                                  size_t index) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = index; i-- > 0;) {
    const bool changes = all[i].kind == ObservationKind::variable_write ||
                         all[i].kind == ObservationKind::variable_removal;
    if (!changes || !is_about_setting(context, row, all[i].name)) continue;
    if (all[i].process != all[index].process && all[i].process != 0) continue;
    if (comes_too_late(context, all[i])) continue;
    const bool makes =
        all[i].kind == ObservationKind::variable_write && makes_setting(context, row, all[i]);
    return makes ? &all[i] : nullptr;
  }
  return nullptr;
}

void report(CheckContext& context, const SettingConflictRow& row, const Observation& call,
            const Observation* write) {
  const Releases releases = context.releases_in(row.torch);
  if (releases.none) return;
  auto severity = severity_of(row.severity);
  const bool certain = releases.all && !call.conditional && !call.uncalled &&
                       (write == nullptr || !write->conditional);
  if (!certain) severity = std::min(severity, diagnostics::Severity::warning);
  std::string setting(row.platform);
  if (!row.key.empty()) setting = std::string(row.key) + ":" + std::string(row.value);
  if (!row.variable.empty()) setting = std::string(row.variable) + "=" + std::string(row.value);
  RawFinding finding = context.finding_at(context.event(call.event).place, severity,
                                          {{"call", std::string(call.name)},
                                           {"setting", setting},
                                           {"problem", std::string(row.message)}});
  if (!releases.all) finding.torch = releases.text;
  if (write != nullptr) finding.related.push_back({context.event(write->event).place, "set here"});
  context.explain_calls(finding, call.event);
  context.report(std::move(finding));
}

}  // namespace

void check_setting_conflict(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool is_use =
        all[i].kind == ObservationKind::call || all[i].kind == ObservationKind::tensor_sent;
    if (!is_use) continue;
    for (const SettingConflictRow& row : context.knowledge.setting_conflicts()) {
      if (row.rule != context.page.name || !is_the_call(row, all[i])) continue;
      if (row.in_child && (all[i].process == 0 || all[i].uncalled)) continue;
      if (!row.platform.empty()) {
        if (row.platform == knowledge::name_of(context.target.platform))
          report(context, row, all[i], nullptr);
        continue;
      }
      const Observation* write = setting_before(context, row, i);
      if (write != nullptr) report(context, row, all[i], write);
    }
  }
}

}  // namespace vramlint::rules
