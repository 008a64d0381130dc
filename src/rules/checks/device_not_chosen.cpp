// SPDX-License-Identifier: MIT
//
// A rank of an NCCL group that never says which GPU is its own.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

bool chooses_device(const Observation& seen) {
  if (seen.kind == ObservationKind::variable_write) return seen.name == "CUDA_VISIBLE_DEVICES";
  if (seen.kind == ObservationKind::device_named)
    return seen.value.kind != replay::KnownValue::Kind::integer || seen.value.integer >= 0;
  if (seen.kind != ObservationKind::call) return false;
  return seen.name.ends_with(".set_device") || seen.name.ends_with(".set_device_index") ||
         seen.name == "torch.cuda.device" ||
         (seen.name.ends_with("Parallel") && argument_of(seen, "device_ids", 1) != nullptr);
}

bool is_group(const CheckContext& context, const Observation& seen) {
  if (seen.kind != ObservationKind::call || !seen.name.ends_with(".init_process_group"))
    return false;
  const replay::KnownValue* backend = argument_of(seen, "backend", 0);
  const bool is_nccl = backend != nullptr && backend->text.find("nccl") != std::string_view::npos;
  const bool is_alone = integer_of(argument_of(seen, "world_size", 3)) == 1;
  if (!is_nccl || is_alone || seen.written.open_arguments || seen.in_test) return false;
  if (argument_of(seen, "device_id", 9) != nullptr) return false;
  const replay::Place place = context.event(seen.event).place;
  const std::string_view file = context.timeline.files[place.file]->bytes();
  return file.find("LOCAL_RANK") == std::string_view::npos &&
         file.find("local_rank") == std::string_view::npos;
}

}  // namespace

void check_device_not_chosen(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  if (std::ranges::any_of(all, chooses_device)) return;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!is_group(context, all[i])) continue;
    const replay::Place group = context.event(all[i].event).place;
    for (size_t j = 0; j < all.size(); ++j) {
      const bool uses = all[j].kind == ObservationKind::device_named &&
                        all[j].process == all[i].process && !all[j].conditional;
      if (!uses || context.event(all[j].event).place.file != group.file) continue;
      // A collective is on the current device too, but another rule speaks for it.
      const std::string_view text = context.text(context.event(all[j].event).place);
      if (text.find("cuda") == std::string_view::npos) continue;
      RawFinding finding = context.finding_at(group, context.severity(), {});
      finding.related.push_back({context.event(all[j].event).place, "GPU 0 in every rank"});
      context.report(std::move(finding));
      break;
    }
  }
}

}  // namespace vramlint::rules
