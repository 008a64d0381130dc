// SPDX-License-Identifier: MIT
//
// A CUDA tensor put into a queue by a process that numbers its devices differently from another
// one.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

bool puts_tensor(const Observation& seen) {
  return is_call(seen, ".put") && !seen.arguments.empty() &&
         seen.arguments.front().device == replay::Device::cuda;
}

const Observation* mask_of(const CheckContext& context, uint32_t process) {
  for (const Observation& seen : context.timeline.observations) {
    const bool is_mask = seen.kind == ObservationKind::variable_write &&
                         seen.name == "CUDA_VISIBLE_DEVICES" && seen.process == process;
    if (is_mask && seen.value.kind == replay::KnownValue::Kind::text) return &seen;
  }
  return nullptr;
}

}  // namespace

void check_devices_differ_between_processes(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    const Observation* own = puts_tensor(seen) ? mask_of(context, seen.process) : nullptr;
    if (own == nullptr) continue;
    for (const Observation& other : context.timeline.observations) {
      const bool differs = other.kind == ObservationKind::variable_write &&
                           other.name == own->name && other.process != own->process &&
                           other.value.kind == replay::KnownValue::Kind::text &&
                           other.value.text != own->value.text;
      if (!differs || context.event(other.event).place == context.event(own->event).place) continue;
      RawFinding finding =
          context.finding_at(context.event(seen.event).place, context.severity(), {});
      finding.related.push_back({context.event(own->event).place, "the sender's devices"});
      finding.related.push_back({context.event(other.event).place, "those of another process"});
      context.report(std::move(finding));
      break;
    }
  }
}

}  // namespace vramlint::rules
