// SPDX-License-Identifier: MIT
// From measurements to a verdict, by rules that stand here and in rules/knowledge/criteria.toml and
// do not change with what was seen. In doubt a promise is neither confirmed nor refuted.
#include "validate/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "validate/told.h"

namespace vramlint::validate {

namespace {

using knowledge::CriterionRow;
using knowledge::Measure;
using knowledge::Wants;

constexpr std::size_t fewest_runs = 2;

bool concerns(std::string_view variable, std::span<const std::string_view> variables) {
  if (variables.empty()) return true;
  return std::ranges::any_of(variables, [&](std::string_view each) {
    return each.ends_with('*') ? variable.starts_with(each.substr(0, each.size() - 1))
                               : variable == each;
  });
}

/// Whether every process that the question can be put to says yes. A program that failed before it
/// could be asked has nothing in force.
std::optional<double> setting_in_force(const Run& run,
                                       std::span<const std::string_view> variables) {
  bool asked = false;
  bool holds = true;
  for (const TorchReport& report : run.reports) {
    bool is_set = false;
    for (const auto& [name, in_force] : report.in_force) {
      if (!concerns(name, variables)) continue;
      is_set = true;
      holds = holds && in_force;
    }
    // Threads are asked about without CUDA, all else only where it is up.
    if (!is_set && !report.initialized) continue;
    asked = true;
    holds = holds && is_set;
  }
  if (asked) return holds ? 1 : 0;
  if (!run.ended.succeeded()) return 0;
  return std::nullopt;
}

std::optional<double> driver_allocations(const Run& run) {
  if (run.has_trace) return static_cast<double>(run.driver.allocations);
  std::optional<double> sum;
  for (const TorchReport& report : run.reports) {
    if (!report.driver_allocations) continue;
    sum = sum.value_or(0) + static_cast<double>(*report.driver_allocations);
  }
  return sum;
}

std::optional<double> memory(const Run& run) {
  if (!run.has_device) return std::nullopt;
  return static_cast<double>(run.device_peak + run.ended.host_peak_bytes);
}

Judgement decided(Judgement judgement, Verdict verdict, std::string reason) {
  judgement.verdict = verdict;
  judgement.reason = std::move(reason);
  return judgement;
}

/// A question with yes or no for an answer.
Judgement judge_holding(Judgement judgement, const std::vector<const Run*>& before,
                        const std::vector<const Run*>& after) {
  const bool held_before = judgement.before->least == 1;
  const bool never_before = judgement.before->most == 0;
  if (judgement.after->most == 0) {
    // Two faults in a program: the fix of one leads to the other.
    const bool fails = !before.front()->ended.succeeded() && !after.front()->ended.succeeded();
    const std::string_view then = last_line(after.front()->last_errors);
    if (fails && !then.empty() && then != last_line(before.front()->last_errors)) {
      return decided(std::move(judgement), Verdict::inconclusive,
                     fmt::format("with the fix it ends with another error: {}", then));
    }
    return decided(std::move(judgement), Verdict::refuted, "does not hold with the fix either");
  }
  if (judgement.after->least != 1) {
    return decided(std::move(judgement), Verdict::inconclusive, "holds in some runs with the fix");
  }
  if (held_before) {
    return decided(std::move(judgement), Verdict::inconclusive, "held without the fix as well");
  }
  if (!never_before) {
    return decided(std::move(judgement), Verdict::inconclusive,
                   "held in some runs without the fix");
  }
  return decided(std::move(judgement), Verdict::confirmed, "holds with the fix only");
}

Judgement judge_lower(Judgement judgement) {
  const Figures& before = *judgement.before;
  const Figures& after = *judgement.after;
  const double margin = judgement.criterion->margin;
  if (before.median <= 0) {
    return decided(std::move(judgement), Verdict::inconclusive, "there was nothing to lower");
  }
  const double lower = (before.median - after.median) / before.median;
  const std::string change = lower >= 0 ? fmt::format("{:.1f} % lower", lower * 100)
                                        : fmt::format("{:.1f} % higher", -lower * 100);
  const bool apart = after.most < before.least;
  if (lower >= margin && apart) {
    return decided(std::move(judgement), Verdict::confirmed, change);
  }
  if (lower >= margin) {
    return decided(std::move(judgement), Verdict::inconclusive, change + ", but the runs overlap");
  }
  // Between "not lower" and "not lower enough to be seen": runs that scatter widely could hide what
  // was promised.
  if (std::max(before.spread(), after.spread()) > judgement.criterion->scatter) {
    return decided(std::move(judgement), Verdict::inconclusive,
                   change + ", but the runs scatter too much to tell");
  }
  return decided(std::move(judgement), Verdict::refuted,
                 fmt::format("{}, where {:.0f} % lower was promised", change, margin * 100));
}

std::optional<Figures> all_measured(const CriterionRow& criterion,
                                    const std::vector<const Run*>& runs,
                                    std::span<const std::string_view> variables) {
  std::vector<double> values;
  for (const Run* run : runs) {
    const std::optional<double> value = measured(criterion.measure, *run, variables);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return figures_of(std::move(values));
}

bool all_succeeded(const std::vector<const Run*>& runs) {
  return std::ranges::all_of(runs, [](const Run* run) { return run->ended.succeeded(); });
}

bool all_tell(const std::vector<const Run*>& runs) {
  return std::ranges::all_of(runs, [](const Run* run) { return run->ended.tells(); });
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed: return "confirmed";
    case Verdict::refuted: return "refuted";
    case Verdict::inconclusive: return "inconclusive";
  }
  return {};
}

double Figures::spread() const { return median != 0 ? (most - least) / median : 0; }

std::optional<Figures> figures_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  Figures figures;
  figures.median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  figures.least = values.front();
  figures.most = values.back();
  figures.count = values.size();
  return figures;
}

std::optional<double> measured(Measure measure, const Run& run,
                               std::span<const std::string_view> variables) {
  switch (measure) {
    case Measure::setting_in_force: return setting_in_force(run, variables);
    case Measure::ends_normally: return run.ended.succeeded() ? 1 : 0;
    case Measure::children_end_normally:
      return run.ended.succeeded() && run.signs.tracebacks == 0 ? 1 : 0;
    case Measure::warnings: return static_cast<double>(run.signs.warnings);
    case Measure::seconds: return run.busy_seconds();
    case Measure::driver_allocations: return driver_allocations(run);
    case Measure::device_memory:
      if (!run.has_device) return std::nullopt;
      return static_cast<double>(run.device_peak);
    case Measure::allocated_memory:
      if (run.allocated_peak() == 0) return std::nullopt;
      return static_cast<double>(run.allocated_peak());
    case Measure::memory: return memory(run);
  }
  return std::nullopt;
}

Judgement judge(const CriterionRow& criterion, const std::vector<const Run*>& before,
                const std::vector<const Run*>& after, std::span<const std::string_view> variables) {
  Judgement judgement;
  judgement.criterion = &criterion;
  judgement.before = all_measured(criterion, before, variables);
  judgement.after = all_measured(criterion, after, variables);
  if (before.size() < fewest_runs || after.size() < fewest_runs) {
    return decided(std::move(judgement), Verdict::inconclusive, "a single run shows nothing");
  }
  if (!all_tell(before) || !all_tell(after)) {
    return decided(std::move(judgement), Verdict::inconclusive,
                   "how a run ended tells nothing of the program: see the notes");
  }
  if (std::ranges::any_of(after, &Run::lacks_texts)) {
    return decided(std::move(judgement), Verdict::inconclusive,
                   "the changed texts were not in place: see the notes");
  }
  if (all_succeeded(before) && !all_succeeded(after)) {
    return decided(std::move(judgement), Verdict::refuted,
                   "the program fails with the fix, and not without");
  }
  if (!judgement.before || !judgement.after) {
    return decided(std::move(judgement), Verdict::inconclusive, "could not be measured here");
  }
  if (criterion.wants == Wants::holds) {
    return judge_holding(std::move(judgement), before, after);
  }
  const bool about_text = criterion.measure == Measure::warnings;
  if (!about_text && !(all_succeeded(before) && all_succeeded(after))) {
    return decided(std::move(judgement), Verdict::inconclusive,
                   "not every run came to its end, so they can't be compared");
  }
  return judge_lower(std::move(judgement));
}

Verdict overall(std::span<const Judgement> judgements) {
  bool all_confirmed = !judgements.empty();
  for (const Judgement& judgement : judgements) {
    if (judgement.verdict == Verdict::refuted) return Verdict::refuted;
    all_confirmed = all_confirmed && judgement.verdict == Verdict::confirmed;
  }
  return all_confirmed ? Verdict::confirmed : Verdict::inconclusive;
}

}  // namespace vramlint::validate
