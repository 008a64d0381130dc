// SPDX-License-Identifier: MIT
//
// `empty_cache()`, a statistic or a limit of the current GPU, in a program that works on another
// one.
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

/// Whether the call says which device it is about.
bool names_device(const Observation& call) {
  const bool is_limit = call.name.ends_with("fraction");
  const replay::KnownValue* device = argument_of(call, "device", is_limit ? 1 : 0);
  const bool given = device != nullptr && device->kind != replay::KnownValue::Kind::none;
  return given || call.written.open_arguments;
}

}  // namespace

void check_cache_of_other_device(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != ObservationKind::call || !context.is_about(seen.name)) continue;
    const auto started = seen.moments[static_cast<size_t>(knowledge::Moment::cuda_init)];
    const bool is_limit = seen.name.ends_with("fraction");
    if (!is_limit && started.certainty != replay::Certainty::yes) continue;
    if (is_in_device_block(seen) || seen.uncalled || names_device(seen)) continue;
    if (!works_elsewhere(context, seen)) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"call", std::string(seen.name)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
