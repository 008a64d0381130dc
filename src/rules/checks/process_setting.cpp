// SPDX-License-Identifier: MIT
//
// A variable that the system reads before Python runs, written by a program that starts no other
// one: nothing ever reads it.
#include <algorithm>
#include <array>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

/// What a program has that starts others, or itself again, in one way or another.
constexpr std::array<std::string_view, 18> starting = {
    "subprocess", "multiprocess", "exec",   "spawn",  "system(", "Popen",
    "Process",    "ray",          "launch", "joblib", "worker",  "pathos",
    "dask",       "runpy",        "child",  "env=",   "n_jobs",  "compile"};

/// Other libraries may start programs as well: compilers, servers, workers.
bool may_start_programs(const CheckContext& context) {
  const auto starts = [](const auto& file) { return has_any(file->bytes(), starting); };
  return uses_other_libraries(context) || std::ranges::any_of(context.timeline.files, starts);
}

}  // namespace

void check_process_setting(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != ObservationKind::variable_write || !context.is_about(seen.name)) continue;
    const replay::Place place = context.event(seen.event).place;
    const bool is_own = place.file == context.timeline.entry && !seen.in_library && !seen.in_test;
    if (!is_own || seen.uncalled || context.reaches_child(seen)) continue;
    // Only a program that uses PyTorch itself: others prepare something for it.
    const auto torch = static_cast<size_t>(knowledge::Moment::import_torch);
    if (context.timeline.at_end[torch].certainty != replay::Certainty::yes) continue;
    if (may_start_programs(context)) continue;
    RawFinding finding =
        context.finding_at(place, context.severity(), {{"variable", std::string(seen.name)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
