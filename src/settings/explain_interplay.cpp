// SPDX-License-Identifier: MIT
//
// What the settings in force do to each other: keys that a backend or a platform ignores, keys that
// wait for another one, keys that harm each other. All of it is rows; only how a row is looked up
// is here. Speaks of accepted strings alone, since a refused one sets nothing.
#include "settings/explain.h"

namespace vramlint::settings {

namespace {

using knowledge::AllocatorInteractionRow;
using knowledge::AllocatorPlatformLimit;
using knowledge::AllocatorRelation;
using knowledge::AllocatorValue;
using knowledge::ProblemSeverity;

/// A key that has its default counts as not set.
const Setting* effective(const Verdict& verdict, std::string_view name) {
  const Setting* setting = verdict.setting(name);
  return setting != nullptr && !is_default(*setting->key, setting->value) ? setting : nullptr;
}

Problem& say(Explanation& out, ProblemSeverity severity, std::string_view rule, text::Span span,
             std::string_view message) {
  return severity == ProblemSeverity::note ? out.note(rule, span, std::string(message))
                                           : out.warn(rule, span, std::string(message));
}

const Setting* other_backend(const Verdict& verdict) {
  for (const Setting& setting : verdict.settings) {
    if (setting.key->type == AllocatorValue::backend && !is_default(*setting.key, setting.value)) {
      return &setting;
    }
  }
  return nullptr;
}

void explain_ignored(Explanation& out, const Setting& backend) {
  const auto* name = std::get_if<std::string>(&backend.value);
  const std::string option = code(std::string(backend.key->name) + ":" + (name ? *name : ""));
  for (const Setting& setting : out.verdict().settings) {
    if (!setting.key->native_only) continue;
    out.warn("allocator-key-ignored", setting.span,
             "ignores " + code(setting.key->name) + " under " + option + ": drop one of the two");
  }
}

bool holds(const AllocatorInteractionRow& row, const Setting& setting, const Verdict& verdict) {
  const Setting* other = effective(verdict, row.other);
  switch (row.relation) {
    case AllocatorRelation::beside: return other != nullptr;
    case AllocatorRelation::without: return other == nullptr;
    case AllocatorRelation::above:
      return other != nullptr && number_of(setting.value) > number_of(other->value);
  }
  return false;
}

void explain_interactions(Explanation& out) {
  for (const AllocatorInteractionRow& row : out.tables().interactions) {
    const Setting* setting = effective(out.verdict(), row.key);
    if (setting == nullptr || !row.torch.contains(out.context().torch)) continue;
    if (!holds(row, *setting, out.verdict())) continue;
    say(out, row.severity, row.rule, setting->span, row.message).satisfied_by = row.satisfied_by;
  }
}

void explain_platform(Explanation& out) {
  for (const Setting& setting : out.verdict().settings) {
    if (is_default(*setting.key, setting.value)) continue;
    for (const AllocatorPlatformLimit& limit : setting.key->platforms) {
      const bool applies =
          limit.platform == out.context().platform && limit.torch.contains(out.context().torch);
      if (applies) say(out, limit.severity, "allocator-platform", setting.span, limit.message);
    }
  }
}

}  // namespace

void explain_interplay(Explanation& out) {
  if (!out.accepted()) return;
  explain_platform(out);
  const Setting* backend = other_backend(out.verdict());
  if (backend != nullptr) {
    explain_ignored(out, *backend);
  } else {
    explain_interactions(out);
  }
}

}  // namespace vramlint::settings
