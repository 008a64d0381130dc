// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "knowledge/knowledge.h"
#include "knowledge/target.h"
#include "replay/timeline.h"
#include "rules/interest.h"

// What a check is given and what it gives. A check is one file of `checks/`, found by its name; it
// sees timelines and tables, never a tree, a path or a clock.

namespace vramlint::rules {

/// A second place that explains a finding.
struct RelatedPlace {
  replay::Place place;
  std::string message;
};

struct RawEdit {
  replay::Place place;
  std::string text;
};

struct RawFix {
  diagnostics::Applicability applicability = diagnostics::Applicability::suggestion;
  std::string title;
  std::vector<RawEdit> edits;
};

/// One finding of a check, before it knows about files, columns and suppressions.
struct RawFinding {
  const knowledge::RulePage* page = nullptr;
  diagnostics::Severity severity = diagnostics::Severity::warning;
  replay::Place place;
  std::string message;
  std::string help;
  std::vector<RelatedPlace> related;
  std::string torch = "all";  ///< releases for which it holds
  std::optional<RawFix> fix;
};

/// The releases of the target for which something holds.
struct Releases {
  bool none = true;
  bool all = false;
  std::string text;  ///< `2.4 to 2.9`
};

diagnostics::Severity severity_of(knowledge::ProblemSeverity severity);

/// The argument of that name or position; null when it was not given.
const replay::ObservedArgument* given_argument(const replay::Observation& call,
                                               std::string_view name, int position);
/// Its value.
const replay::KnownValue* argument_of(const replay::Observation& call, std::string_view name,
                                      int position);

/// Words for the `{placeholders}` of a page's templates.
using Words = std::vector<std::pair<std::string_view, std::string>>;

/// A page's rule at work on one timeline.
class CheckContext {
 public:
  CheckContext(const knowledge::RulePage& page, const replay::Timeline& timeline,
               const knowledge::Knowledge& knowledge, const knowledge::Target& target,
               std::vector<RawFinding>& findings)
      : page(page), timeline(timeline), knowledge(knowledge), target(target), findings_(findings) {}

  const knowledge::RulePage& page;
  const replay::Timeline& timeline;
  const knowledge::Knowledge& knowledge;
  const knowledge::Target& target;

  /// Whether the page names this variable or call; a trailing `*` there stands for any rest.
  bool is_about(std::string_view name) const;
  /// The most that the page says.
  diagnostics::Severity severity() const;
  /// What the page says of something observed: at most a warning when it is not certain, or when it
  /// stands in a function that nobody in sight calls, so that nobody knows what ran before.
  diagnostics::Severity severity_of(const replay::Observation& seen,
                                    replay::Certainty certainty) const;
  /// Whether the variable had certainly been read before this write, which other rules report.
  bool comes_too_late(const replay::Observation& write) const;
  Releases releases_in(knowledge::VersionRange range) const;
  Releases releases_in(std::span<const knowledge::Version> chosen) const;
  const replay::Event& event(replay::EventId id) const { return timeline.events[id]; }
  std::string_view text(replay::Place place) const;
  /// The release whose behaviour decides: the newest of the target.
  knowledge::Version torch() const {
    return target.torch.empty() ? knowledge.newest_torch() : target.torch.back();
  }
  /// Whether a moment reached counts against something done at `place`. One that is only perhaps
  /// reached counts when both stand in one file, where the reader can see the path.
  bool counts(const replay::MomentState& state, replay::Place place) const {
    if (state.certainty != replay::Certainty::perhaps)
      return state.certainty == replay::Certainty::yes;
    const replay::Event& early = event(state.event);
    return early.place.file == place.file ||
           std::any_of(early.calls.begin(), early.calls.end(),
                       [&](const replay::Place& call) { return call.file == place.file; });
  }
  /// Whether a child that starts afresh after this write may read it: then it may well be meant for
  /// the child. One that is known to read something else (`git`, `nvidia-smi`) plays no part.
  bool reaches_child(const replay::Observation& write) const;
  /// Whether nothing reads this write: it comes too late for the process, and no child may read it.
  bool is_lost(const replay::Observation& write) const {
    return comes_too_late(write) && !reaches_child(write);
  }
  /// The early event and the calls that led to it, as related places.
  void explain_event(RawFinding& finding, const replay::MomentState& state,
                     knowledge::Moment moment) const;
  /// The calls that led to the finding's own place.
  void explain_calls(RawFinding& finding, replay::EventId event) const;
  /// A finding of this page with its message and help filled in.
  RawFinding finding_at(replay::Place place, diagnostics::Severity severity,
                        const Words& words) const;
  void report(RawFinding finding) { findings_.push_back(std::move(finding)); }

 private:
  std::vector<RawFinding>& findings_;
};

struct CheckEntry {
  std::string_view name;
  void (*run)(CheckContext& context);
};

/// One entry a file of `checks/`.
std::span<const CheckEntry> all_checks();

/// Runs the check of every page that is asked for. Findings come in no particular order.
std::vector<RawFinding> run_checks(const replay::Timeline& timeline,
                                   const knowledge::Knowledge& knowledge,
                                   const knowledge::Target& target, const Interest& interest);

diagnostics::Severity severity_named(std::string_view name);

/// Calls that some page is about: those that the replay has to observe.
std::vector<std::string_view> observed_calls(const knowledge::Knowledge& knowledge);

/// Whether reading this name of a module of PyTorch is worth an observation: not every release has
/// it, or another name has taken its place.
bool is_observed_name(std::string_view dotted);

}  // namespace vramlint::rules
