// SPDX-License-Identifier: MIT
//
// A key that the statistics of an allocator do not have, as the rows of
// `rules/knowledge/statistic_keys.toml` say.
#include <algorithm>

#include "rules/check.h"
#include "support/nearest_name.h"

namespace vramlint::rules {
namespace {

using replay::KnownValue;
using replay::Observation;

/// The part up to the next dot, which goes.
std::string_view next_part(std::string_view& text) {
  // Dots stand between braces nowhere.
  const std::string_view part = text.substr(0, text.find('.'));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

/// `current` fits `{current,peak}`, and anything fits `*`.
bool part_fits(std::string_view pattern, std::string_view part) {
  if (pattern == "*" || pattern == part) return true;
  if (!pattern.starts_with('{')) return false;
  pattern = pattern.substr(1, pattern.size() - 2);
  while (!pattern.empty()) {
    const std::string_view one = pattern.substr(0, pattern.find(','));
    if (one == part) return true;
    pattern.remove_prefix(std::min(pattern.size(), one.size() + 1));
  }
  return false;
}

bool fits(std::string_view pattern, std::string_view key) {
  while (!pattern.empty() && !key.empty()) {
    const std::string_view wanted = next_part(pattern);
    if (wanted == "**") return true;
    if (!part_fits(wanted, next_part(key))) return false;
  }
  return pattern.empty() && key.empty();
}

/// The statistic that was plainly meant: `allocated_bytes` is `allocated_bytes.all.current`.
std::string meant(const knowledge::StatisticKeyRow& row, std::string_view key) {
  for (const std::string_view end : {".all.current", ".all.peak", ".all"}) {
    for (const std::string_view pattern : row.keys) {
      std::string whole(key);
      const size_t dot = whole.rfind('.');
      if (end == ".all" && dot != std::string::npos) {
        whole.insert(dot, ".all");
      } else {
        whole += end;
      }
      if (fits(pattern, whole)) return ": write `\"" + whole + "\"`";
    }
  }
  return {};
}

const knowledge::StatisticKeyRow* row_of(const CheckContext& context, std::string_view call) {
  for (const knowledge::StatisticKeyRow& row : context.knowledge.statistic_keys()) {
    for (const std::string_view name : row.calls) {
      const bool is_own = call.starts_with(name);
      const std::string_view method = is_own ? call.substr(name.size()) : std::string_view();
      if (method == ".__getitem__" || method == ".get") return &row;
    }
  }
  return nullptr;
}

/// A key that the program puts there, asks for, or does without.
bool is_own_key(const CheckContext& context, const Observation& seen, std::string_view key) {
  const std::string_view body = context.text(seen.written.body);
  if (body.find("KeyError") != std::string_view::npos) return true;
  const bool is_asked = std::ranges::any_of(seen.conditions, [&](replay::Place condition) {
    return context.text(condition).find(key) != std::string_view::npos;
  });
  return is_asked ||
         std::ranges::any_of(context.timeline.observations, [](const Observation& other) {
           return other.name.ends_with("memory_stats.__setitem__") ||
                  other.name.ends_with("memory_stats.update");
         });
}

}  // namespace

void check_statistic_key(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::call || seen.arguments.empty()) continue;
    const knowledge::StatisticKeyRow* row = row_of(context, seen.name);
    const KnownValue& key = seen.arguments.front().value;
    if (row == nullptr || key.kind != KnownValue::Kind::text || seen.guards.expected) continue;
    const bool is_key =
        std::ranges::any_of(row->keys, [&](std::string_view one) { return fits(one, key.text); });
    if (is_key || is_own_key(context, seen, key.text)) continue;
    const bool gets = seen.name.ends_with(".get");
    RawFinding finding = context.finding_at(
        context.event(seen.event).place, gets ? diagnostics::Severity::warning : context.severity(),
        {{"key", std::string(key.text)},
         {"problem", gets ? "`get` always gives its default" : "this raises KeyError"},
         {"advice", meant(*row, key.text)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
