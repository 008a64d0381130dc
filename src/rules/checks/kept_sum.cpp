// SPDX-License-Identifier: MIT
//
// A name that a loop combines with what it held before, so that the graphs of all rounds hang
// together.
#include "rules/check.h"
#include "rules/source_edits.h"

namespace vramlint::rules {

namespace {

/// `total += loss` becomes `total += loss.detach()`, in the loop itself: what a function elsewhere
/// is given may be a number at other times.
std::optional<RawFix> cut_off(const CheckContext& context, const replay::Observation& seen) {
  const replay::Place place = context.event(seen.event).place;
  const bool in_loop = seen.loop && seen.loop->statement.file == place.file &&
                       seen.loop->statement.span.contains(place.span);
  if (!in_loop || seen.kept != replay::KeptWay::sum) return std::nullopt;
  const std::string_view text = context.text(place);
  const std::optional<size_t> sign = assignment_sign(text);
  if (!sign) return std::nullopt;
  const size_t begin = text.find_first_not_of(' ', *sign + 1);
  if (begin == std::string_view::npos || text.substr(begin).find('#') != std::string_view::npos)
    return std::nullopt;
  if (assignment_sign(text.substr(begin))) return std::nullopt;
  RawFix fix;
  fix.applicability = Applicability::unsafe;
  fix.title = "add `.detach()`";
  fix.edits.push_back(detached(context, part_of(place, {begin, text.size()})));
  return fix;
}

}  // namespace

void check_kept_sum(CheckContext& context) {
  using replay::KeptWay;
  for (const replay::Observation& seen : context.timeline.observations) {
    const bool sums = seen.kept == KeptWay::sum || seen.kept == KeptWay::call;
    if (seen.kind != replay::ObservationKind::graph_kept || !sums || seen.in_test) continue;
    const auto severity = seen.each_step ? context.severity() : diagnostics::Severity::note;
    RawFinding finding = context.finding_at(context.event(seen.event).place, severity,
                                            {{"name", std::string(seen.name)}});
    if (seen.loop) finding.related.push_back({seen.loop->statement, "in each round of this loop"});
    context.explain_calls(finding, seen.event);
    finding.fix = cut_off(context, seen);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
