// SPDX-License-Identifier: MIT
//
// Habits that keep memory longer than it seems; each has a page of its own.
#include "rules/check.h"
#include "rules/source_edits.h"

namespace vramlint::rules {
namespace {

using replay::KeptWay;

struct Habit {
  std::string_view page;
  KeptWay way;
};

constexpr Habit habits[] = {
    {"evaluation-with-gradients", KeptWay::evaluation},
    {"hook-collects-outputs", KeptWay::hook},
    {"retry-in-memory-handler", KeptWay::retry},
    {"result-in-context", KeptWay::context},
    {"gradients-with-graph", KeptWay::gradients},
    {"live-state-as-snapshot", KeptWay::live_state},
    {"cache-emptied-before-delete", KeptWay::referenced},
    {"gpu-results-remembered", KeptWay::cached},
    {"step-outputs-never-cleared", KeptWay::epochs},
    {"average-with-gradients", KeptWay::average},
    {"loader-cycled", KeptWay::cycle},
    {"loader-begun-anew", KeptWay::restart},
    {"gradients-set-to-zero", KeptWay::zeroed},
};

/// The call goes behind the `del` of the next line.
std::optional<RawFix> swapped_with_next_line(const CheckContext& context, replay::Place place) {
  const std::optional<replay::Place> lines = own_lines(context, place);
  if (!lines) return std::nullopt;
  const text::Source& source = *context.timeline.files[place.file];
  const uint32_t line = source.position_of(lines->span.begin).line;
  const uint32_t next = source.position_of(lines->span.end).line;
  const std::string_view own = source.line(line);
  const std::string_view other = source.line(next);
  const size_t indent = own.find_first_not_of(" \t");
  const bool deletes = indent == other.find_first_not_of(" \t") &&
                       other.substr(indent).starts_with("del ") && !other.ends_with('\\');
  if (next != line + 1 || !deletes) return std::nullopt;
  const replay::Place both{
      place.file,
      {source.line_begin(line), static_cast<uint32_t>(source.line_begin(next) + other.size())}};
  return fix_of(Applicability::safe, "empty the cache after the `del`", both,
                std::string(other) + "\n" + std::string(own));
}

/// `model.state_dict()` becomes copies of its tensors.
std::optional<RawFix> copied(const CheckContext& context, replay::Place place) {
  const std::string_view text = context.text(place);
  constexpr std::string_view call = ".state_dict()";
  const size_t at = text.find(call);
  if (at == std::string_view::npos || text.find(call, at + 1) != std::string_view::npos)
    return std::nullopt;
  size_t begin = at;
  const auto belongs = [](char byte) {
    return byte == '.' || byte == '_' || (byte >= '0' && byte <= '9') ||
           (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
  };
  while (begin > 0 && belongs(text[begin - 1])) --begin;
  const TextSpan part{begin, at + call.size()};
  const std::string state(text.substr(part.begin, part.size()));
  return fix_of(Applicability::unsafe, "copy the tensors", part_of(place, part),
                "{name: value.clone() for name, value in " + state + ".items()}");
}

std::optional<RawFix> remedy(const CheckContext& context, KeptWay way, replay::Place place) {
  switch (way) {
    case KeptWay::referenced: return swapped_with_next_line(context, place);
    case KeptWay::live_state: return copied(context, place);
    case KeptWay::zeroed:
      return without_argument(context, place, "set_to_none", 0, Applicability::unsafe);
    default: return std::nullopt;
  }
}

}  // namespace

void check_kept_memory(CheckContext& context) {
  for (const Habit& habit : habits) {
    if (habit.page != context.page.name) continue;
    for (const replay::Observation& seen : context.timeline.observations) {
      const bool fits = seen.kind == replay::ObservationKind::graph_kept && seen.kept == habit.way;
      if (!fits || seen.in_test) continue;
      if (habit.way == KeptWay::restart && !seen.each_batch) continue;
      RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                              {{"name", std::string(seen.name)}});
      if (seen.loop && habit.way == KeptWay::evaluation)
        finding.related.push_back({seen.loop->statement, "in each round of this loop"});
      finding.fix = remedy(context, habit.way, context.event(seen.event).place);
      context.report(std::move(finding));
    }
  }
}

}  // namespace vramlint::rules
