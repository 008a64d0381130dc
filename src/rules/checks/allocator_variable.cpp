// SPDX-License-Identifier: MIT
//
// The name under which an allocator string is set: one that the release does not look at, or one
// that another name outranks. What the string says is another check's matter.
#include <algorithm>

#include "rules/check.h"
#include "rules/source_edits.h"
#include "settings/releases.h"

namespace vramlint::rules {
namespace {

using diagnostics::Severity;
using knowledge::VariableRow;
using knowledge::Version;
using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

/// The row of an allocator variable that is written here; null for anything else.
const VariableRow* written(const CheckContext& context, const Observation& seen) {
  const bool write = seen.kind == ObservationKind::variable_write ||
                     seen.kind == ObservationKind::child_variable_write;
  const VariableRow* row = write ? context.knowledge.variable(seen.name) : nullptr;
  return row != nullptr && row->allocator_string ? row : nullptr;
}

bool is_empty(const Observation& seen) {
  return seen.value.kind == KnownValue::Kind::text && seen.value.text.empty();
}

bool same_text(const Observation& left, const Observation& right) {
  const bool known =
      left.value.kind == KnownValue::Kind::text && right.value.kind == KnownValue::Kind::text;
  return !known || left.value.text == right.value.text;
}

/// The same is set under a name that these releases do read: then this one is for the others.
bool set_under_another_name(const CheckContext& context, const Observation& seen,
                            const std::vector<Version>& releases) {
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& other) {
    const VariableRow* row = written(context, other);
    if (row == nullptr || other.name == seen.name || !same_text(other, seen)) return false;
    return std::ranges::all_of(releases,
                               [row](Version release) { return row->torch.contains(release); });
  });
}

/// A name that all releases of the target read, where nothing else writes it.
std::optional<RawFix> under_a_name_that_is_read(const CheckContext& context,
                                                const Observation& seen) {
  const knowledge::AllocatorTables tables{{}, context.knowledge.allocator_grammars(), {}};
  const auto& names = settings::grammar_of(context.torch(), tables).variables;
  for (const std::string_view name : names) {
    const VariableRow* row = context.knowledge.variable(name);
    const bool is_read =
        row != nullptr && std::ranges::all_of(context.target.torch, [row](Version release) {
          return row->torch.contains(release);
        });
    const bool is_taken =
        std::ranges::any_of(context.timeline.observations, [&](const Observation& other) {
          return other.name == name && written(context, other) != nullptr;
        });
    if (!is_read || is_taken || name == seen.name) continue;
    return with_variable(context, seen, name,
                         context.target.torch_stated ? Applicability::safe : Applicability::unsafe);
  }
  return std::nullopt;
}

void check_unread(CheckContext& context, const Observation& seen) {
  const VariableRow* row = written(context, seen);
  if (row == nullptr || is_empty(seen)) return;
  if (row->native_platform == knowledge::name_of(context.target.platform)) return;
  std::vector<Version> unread;
  std::ranges::copy_if(context.target.torch, std::back_inserter(unread),
                       [row](Version release) { return !row->torch.contains(release); });
  if (unread.empty() || set_under_another_name(context, seen, unread)) return;
  const bool all = unread.size() == context.target.torch.size();
  const std::string releases = settings::releases_text(unread, context.target.torch);
  RawFinding finding = context.finding_at(
      context.event(seen.event).place, all ? context.severity() : Severity::warning,
      {{"releases", releases}, {"variable", std::string(seen.name)}});
  if (!all) finding.torch = releases;
  finding.fix = under_a_name_that_is_read(context, seen);
  context.explain_calls(finding, seen.event);
  context.report(std::move(finding));
}

/// A write of a name that comes before this one when the newest release looks for its string.
const Observation* outranking(const CheckContext& context, const Observation& seen) {
  if (context.target.torch.empty()) return nullptr;
  const knowledge::AllocatorTables tables{{}, context.knowledge.allocator_grammars(), {}};
  const auto& names = settings::grammar_of(context.target.torch.back(), tables).variables;
  const auto place = std::ranges::find(names, seen.name);
  if (place == names.end()) return nullptr;
  for (const Observation& other : context.timeline.observations) {
    const bool write = other.kind == ObservationKind::variable_write;
    if (!write || other.process != seen.process) continue;
    // They may stand in two branches.
    if (other.conditional && seen.conditional) continue;
    if (std::find(names.begin(), place, other.name) != place) return &other;
  }
  return nullptr;
}

bool is_removed(const CheckContext& context, std::string_view name) {
  return std::ranges::any_of(context.timeline.observations, [name](const Observation& seen) {
    return seen.kind == ObservationKind::variable_removal && seen.name == name;
  });
}

void check_outranked(CheckContext& context, const Observation& seen) {
  if (seen.kind != ObservationKind::variable_write || written(context, seen) == nullptr) return;
  if (seen.value.kind != KnownValue::Kind::text) return;
  const Observation* winner = outranking(context, seen);
  if (winner == nullptr || same_text(*winner, seen) || is_removed(context, winner->name)) return;
  RawFinding finding = context.finding_at(
      context.event(seen.event).place, context.severity(),
      {{"variable", std::string(seen.name)}, {"winner", std::string(winner->name)}});
  finding.related.push_back({context.event(winner->event).place, "the value that is taken"});
  context.explain_calls(finding, seen.event);
  context.report(std::move(finding));
}

}  // namespace

void check_allocator_variable(CheckContext& context) {
  const bool unread = context.page.name == "allocator-variable-unread";
  for (const Observation& seen : context.timeline.observations) {
    if (unread) {
      check_unread(context, seen);
    } else {
      check_outranked(context, seen);
    }
  }
}

}  // namespace vramlint::rules
