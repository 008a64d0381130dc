// SPDX-License-Identifier: MIT
//
// `empty_cache()` of a program that works on another GPU than the first.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

/// Whether all that the process does on a GPU is on one that is named, and is not the first.
bool works_elsewhere(const CheckContext& context, const Observation& call) {
  bool any = false;
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind == ObservationKind::variable_write && seen.name == "CUDA_VISIBLE_DEVICES")
      return false;
    if (seen.kind == ObservationKind::call &&
        seen.name.find("set_device") != std::string_view::npos)
      return false;
    if (seen.kind != ObservationKind::device_named || seen.process != call.process) continue;
    if (integer_of(&seen.value) < 1) return false;
    any = true;
  }
  return any;
}

}  // namespace

void check_cache_of_other_device(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (!is_call(seen, "torch.cuda.empty_cache") && !is_call(seen, "torch.cuda.memory.empty_cache"))
      continue;
    const auto started = seen.moments[static_cast<size_t>(knowledge::Moment::cuda_init)];
    const bool is_inside = std::ranges::any_of(seen.contexts, [](std::string_view around) {
      return around.find("device") != std::string_view::npos;
    });
    if (started.certainty != replay::Certainty::yes || is_inside || seen.uncalled) continue;
    if (!works_elsewhere(context, seen)) continue;
    RawFinding finding =
        context.finding_at(context.event(seen.event).place, context.severity(), {});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
