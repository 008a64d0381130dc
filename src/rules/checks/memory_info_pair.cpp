// SPDX-License-Identifier: MIT
//
// `mem_get_info()` gives a pair, the free bytes first. Computed with as if it were a number, or
// taken apart in the other order.
#include <algorithm>
#include <array>
#include <vector>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::KnownValue;
using replay::Observation;

constexpr std::array<std::string_view, 3> free_words = {"free", "avail", "unused"};
constexpr std::array<std::string_view, 2> other_words = {"total", "used"};
/// In front of such a word they turn its meaning round.
constexpr std::array<std::string_view, 4> negations = {"not", "non", "un", "no"};

/// `not_used`, `nonused`.
bool is_negated(std::string_view name) {
  return std::ranges::any_of(other_words, [&](std::string_view word) {
    std::string_view front = name.substr(0, std::min(name.find(word), name.size()));
    if (front.ends_with('_')) front.remove_suffix(1);
    return std::ranges::any_of(negations, [&](std::string_view no) { return front.ends_with(no); });
  });
}

/// A name for free memory, and for nothing else.
bool means_free(std::string_view name) {
  return has_any(name, free_words) && name.find("total") == std::string_view::npos;
}

bool means_other(std::string_view name) {
  return has_any(name, other_words) && !has_any(name, free_words) && !is_negated(name);
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t()");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t()") + 1 - first);
}

/// Names of `a, b = mem_get_info()`, in another order than the two numbers come.
bool is_swapped(std::string_view names) {
  const size_t comma = names.find(',');
  if (comma == std::string_view::npos || names.find(',', comma + 1) != std::string_view::npos)
    return false;
  const std::string_view first = trimmed(names.substr(0, comma));
  const std::string_view second = trimmed(names.substr(comma + 1));
  return means_other(first) && (means_free(second) || first.find("used") != std::string_view::npos);
}

/// `total = mem_get_info()[0]` or `free = mem_get_info()[1]`.
bool is_other_part(std::string_view before, std::string_view behind) {
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  const size_t sign = line.find('=');
  if (sign == std::string_view::npos || line.find_first_not_of(" \t", sign + 1) != line.npos)
    return false;
  const std::string_view name = trimmed(line.substr(0, sign));
  if (!is_identifier(name)) return false;
  return (behind.starts_with("[0]") && means_other(name)) ||
         (behind.starts_with("[1]") && means_free(name));
}

bool is_number(const Observation& seen) {
  if (seen.arguments.empty()) return false;
  const KnownValue::Kind kind = seen.arguments.front().value.kind;
  return kind == KnownValue::Kind::integer || kind == KnownValue::Kind::real;
}

bool is_misread(const CheckContext& context, const Observation& seen, replay::Place place) {
  if (is_swapped(assigned_text(context, seen))) return true;
  const std::string_view bytes = context.timeline.files[place.file]->bytes();
  return is_other_part(bytes.substr(0, place.span.begin), bytes.substr(place.span.end));
}

}  // namespace

void check_memory_info_pair(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::call || !context.is_about(seen.name)) continue;
    if (seen.guards.expected) continue;
    const replay::Place place = context.event(seen.event).place;
    const bool computes = seen.name.ends_with("__");
    if (computes ? !seen.written.receiver || !is_number(seen) : !is_misread(context, seen, place))
      continue;
    RawFinding finding = context.finding_at(
        place, computes ? context.severity() : diagnostics::Severity::warning,
        {{"problem", computes ? "as a tuple: computing with it raises TypeError"
                              : "and the names here say it the other way round"}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
