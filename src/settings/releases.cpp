// SPDX-License-Identifier: MIT
//
// One string before several releases: asks each and draws what they say together, so that a project
// that supports a range hears each problem once. Knows nothing about strings itself.
#include "settings/releases.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace vramlint::settings {

namespace {

using knowledge::ProblemSeverity;
using knowledge::Version;

/// What the releases say about one place: the most severe of it, in the words of the newest.
struct Gathered {
  Problem problem;
  std::vector<Version> releases;
  bool outcomes_differ = false;  ///< one raises this, another that
};

using Place = std::tuple<text::Span, std::string_view>;

/// An error's predicate is what happens, a colon, and why.
std::string_view outcome_of(const Problem& problem) {
  const std::string_view predicate = problem.predicate;
  return predicate.substr(0, predicate.find(": "));
}

void gather(std::map<Place, Gathered>& places, const Problem& problem, Version release) {
  Gathered& place = places[{problem.span, problem.rule}];
  const bool first = place.releases.empty() || problem.severity > place.problem.severity;
  if (!first && problem.severity < place.problem.severity) return;
  if (first) {
    place.releases.clear();
    place.outcomes_differ = false;
  } else if (outcome_of(problem) != outcome_of(place.problem)) {
    place.outcomes_differ = true;
  }
  place.releases.push_back(release);
  place.problem = problem;
}

void name_common_outcome(Gathered& gathered) {
  Problem& problem = gathered.problem;
  const bool needed = gathered.outcomes_differ && problem.severity == ProblemSeverity::error;
  if (needed) problem.predicate.replace(0, outcome_of(problem).size(), "refuses the string");
}

}  // namespace

std::string releases_text(std::span<const Version> chosen, std::span<const Version> releases) {
  const auto is_chosen = [chosen](Version release) {
    return std::ranges::find(chosen, release) != chosen.end();
  };
  std::string out;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    if (!is_chosen(releases[i])) continue;
    std::size_t last = i;
    while (last + 1 < releases.size() && is_chosen(releases[last + 1])) ++last;
    out += (out.empty() ? "" : ", ") + to_string(releases[i]);
    if (last > i) out += (last == i + 1 ? " and " : " to ") + to_string(releases[last]);
    i = last;
  }
  return out;
}

ReleasesReading read_for_releases(std::string_view string, std::span<const Version> releases,
                                  const knowledge::AllocatorTables& tables,
                                  knowledge::Platform platform) {
  ReleasesReading out;
  std::map<Place, Gathered> places;
  for (const Version release : releases) {
    out.newest = read_allocator_string(string, release, tables, platform);
    (out.newest.accepted ? out.accepted_by : out.refused_by).push_back(release);
    const std::optional<FailsAt> fails_at = out.newest.fails_at;
    if (fails_at && (!out.fails_at || *fails_at < *out.fails_at)) out.fails_at = fails_at;
    for (const Problem& problem : out.newest.problems) gather(places, problem, release);
  }
  for (auto& [place, gathered] : places) {
    name_common_outcome(gathered);
    const bool all = gathered.releases.size() == releases.size();
    const bool last = gathered.releases.back() == releases.back();
    const bool stands = all || (out.accepted_by.empty() && last);
    if (!stands) {
      gathered.problem.severity = std::min(gathered.problem.severity, ProblemSeverity::warning);
    }
    out.problems.push_back(
        {std::move(gathered.problem), releases_text(gathered.releases, releases), all});
  }
  return out;
}

}  // namespace vramlint::settings
