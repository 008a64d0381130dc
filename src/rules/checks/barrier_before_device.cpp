// SPDX-License-Identifier: MIT
//
// A collective without tensors of its own, before the rank has chosen its device: NCCL puts it on
// the current device, which is device 0 for every rank.
#include <algorithm>

#include "rules/check.h"

namespace vramlint::rules {
namespace {

using replay::Observation;

/// Names that the page lists first choose a device, or may; the others are the collectives.
bool chooses_device(const Observation& seen) {
  if (seen.name.ends_with("init_process_group"))
    return argument_of(seen, "device_id", 9) != nullptr;
  return seen.name.ends_with("set_device") || seen.name.ends_with("set_device_index") ||
         seen.name.ends_with("init_device_mesh");
}

/// Whether a group is given that may be another one than that of all ranks, made with gloo say.
bool names_group(const Observation& seen) {
  const replay::KnownValue* group = argument_of(seen, "group", 0);
  return group != nullptr && group->kind != replay::KnownValue::Kind::none &&
         !group->text.ends_with("WORLD");
}

}  // namespace

void check_barrier_before_device(CheckContext& context) {
  std::vector<uint32_t> chosen;  // processes whose device is set
  for (const Observation& seen : context.timeline.observations) {
    const bool masks =
        seen.kind == replay::ObservationKind::variable_write && seen.name == "CUDA_VISIBLE_DEVICES";
    const bool is_call = seen.kind == replay::ObservationKind::call && context.is_about(seen.name);
    if (masks || (is_call && chooses_device(seen))) chosen.push_back(seen.process);
    if (!is_call || !seen.name.ends_with("barrier")) continue;
    const auto moment = knowledge::Moment::process_group;
    const replay::MomentState& group = seen.moments[static_cast<size_t>(moment)];
    const bool has_device = std::find(chosen.begin(), chosen.end(), seen.process) != chosen.end() ||
                            argument_of(seen, "device_ids", 2) != nullptr || names_group(seen);
    if (group.certainty != replay::Certainty::yes || has_device) continue;
    if (context.event(group.event).place.file != context.event(seen.event).place.file) continue;
    RawFinding finding =
        context.finding_at(context.event(seen.event).place, context.severity(), {});
    context.explain_event(finding, group, moment);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
