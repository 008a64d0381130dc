// SPDX-License-Identifier: MIT
//
// A collective before the rank has chosen its device: NCCL puts it on the current device, which is
// device 0 for every rank. One without tensors of its own, and one whose tensors are on that
// device.
#include <algorithm>
#include <string>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

/// Names that the page lists first choose a device, or may; the others are the collectives.
bool chooses_device(const Observation& seen) {
  if (seen.name.ends_with("init_process_group"))
    return argument_of(seen, "device_id", 9) != nullptr;
  return seen.name.ends_with("set_device") || seen.name.ends_with("set_device_index") ||
         seen.name.ends_with("init_device_mesh");
}

/// Whether a group is given that may be another one than that of all ranks, made with gloo say.
bool names_group(const Observation& seen, int position) {
  const replay::KnownValue* group = argument_of(seen, "group", position);
  return group != nullptr && group->kind != replay::KnownValue::Kind::none &&
         !group->text.ends_with("WORLD");
}

const knowledge::CollectiveRow* collective_of(const CheckContext& context,
                                              const Observation& seen) {
  if (seen.kind != ObservationKind::call) return nullptr;
  for (const knowledge::CollectiveRow& row : context.knowledge.collectives()) {
    if (std::ranges::find(row.names, seen.name) != row.names.end()) return &row;
  }
  return nullptr;
}

bool is_chosen_by(const CheckContext& context, const Observation& seen) {
  if (seen.kind == ObservationKind::variable_write) return seen.name == "CUDA_VISIBLE_DEVICES";
  return seen.kind == ObservationKind::call && context.is_about(seen.name) && chooses_device(seen);
}

/// Whether the file chooses the device further down, and so does not think it chosen.
bool is_chosen_below(const CheckContext& context, size_t index) {
  const std::vector<Observation>& all = context.timeline.observations;
  const Observation& seen = all[index];
  return std::any_of(
      all.begin() + static_cast<std::ptrdiff_t>(index), all.end(), [&](const Observation& later) {
        return later.process == seen.process && is_chosen_by(context, later) &&
               context.event(later.event).place.file == context.event(seen.event).place.file;
      });
}

/// A CUDA tensor that was made without saying on which GPU, where the device is chosen further
/// down.
bool is_on_present_device(const CheckContext& context, size_t index) {
  const std::vector<Observation>& all = context.timeline.observations;
  const Observation& seen = all[index];
  const bool is_cuda = !seen.arguments.empty() && !seen.conditional &&
                       seen.arguments.front().device == replay::Device::cuda;
  if (!is_cuda || argument_of(seen, "async_op", -1) != nullptr) return false;
  for (size_t i = 0; i < index; ++i) {
    if (all[i].process != seen.process || all[i].kind != ObservationKind::device_named) continue;
    if (all[i].value.kind != replay::KnownValue::Kind::integer || all[i].value.integer >= 0)
      return false;
  }
  return is_chosen_below(context, index);
}

/// Whether the group of the process has NCCL and nothing else: with gloo for the CPU beside it, as
/// without a name of a backend, what has no tensor may run there. What other calls than PyTorch's
/// own make has NCCL alone.
bool has_nccl_alone(const CheckContext& context, size_t index, bool by_others) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = index; i-- > 0;) {
    if (all[i].process != all[index].process || all[i].kind != ObservationKind::call) continue;
    if (!all[i].name.ends_with("init_process_group")) continue;
    const replay::KnownValue* backend = argument_of(all[i], "backend", 0);
    return backend != nullptr && backend->text == "nccl";
  }
  return by_others;
}

/// Whether it says itself where it runs.
bool says_device(const Observation& seen, const knowledge::CollectiveRow& row) {
  return argument_of(seen, "device_ids", 2) != nullptr || is_in_device_block(seen) ||
         argument_of(seen, "device", -1) != nullptr || names_group(seen, row.group_position);
}

/// Whether it runs on the current device, which is the first one.
bool runs_on_first(const CheckContext& context, size_t index, const knowledge::CollectiveRow& row) {
  const Observation& seen = context.timeline.observations[index];
  if (row.has_tensor) return is_on_present_device(context, index);
  if (!has_nccl_alone(context, index, seen.name.ends_with("barrier"))) return false;
  // `from utils import setup_device`, where nobody sees what that does.
  return !seen.after_unseen || is_chosen_below(context, index);
}

}  // namespace

void check_barrier_before_device(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  std::vector<uint32_t> chosen;  // processes whose device is set
  for (size_t i = 0; i < all.size(); ++i) {
    const Observation& seen = all[i];
    if (is_chosen_by(context, seen)) chosen.push_back(seen.process);
    const knowledge::CollectiveRow* row = collective_of(context, seen);
    if (row == nullptr || says_device(seen, *row)) continue;
    const auto moment = knowledge::Moment::process_group;
    const replay::MomentState& group = seen.moments[static_cast<size_t>(moment)];
    const bool has_device = std::ranges::find(chosen, seen.process) != chosen.end();
    if (group.certainty != replay::Certainty::yes || has_device) continue;
    if (context.event(group.event).place.file != context.event(seen.event).place.file) continue;
    if (!runs_on_first(context, i, *row)) continue;
    RawFinding finding =
        context.finding_at(context.event(seen.event).place, context.severity(),
                           {{"call", std::string(seen.name.substr(seen.name.rfind('.') + 1))}});
    context.explain_event(finding, group, moment);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
