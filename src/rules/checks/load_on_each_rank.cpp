// SPDX-License-Identifier: MIT
//
// A checkpoint that every rank of a group loads: to the GPU that it was saved from, or as a whole
// into host memory.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

/// Whether the program is one of several ranks when it comes here.
bool in_group(const CheckContext& context, const Observation& load, bool suspected) {
  const auto moment = static_cast<size_t>(knowledge::Moment::process_group);
  if (load.moments[moment].certainty != replay::Certainty::no) return true;
  if (!suspected && !load.uncalled) return false;
  const uint32_t file = context.event(load.event).place.file;
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
    const bool speaks = seen.kind == ObservationKind::call &&
                        seen.name.starts_with("torch.distributed.") &&
                        context.event(seen.event).place.file == file;
    return speaks && (suspected || seen.name.ends_with(".init_process_group"));
  });
}

bool is_on_host(const Observation& load) {
  const replay::KnownValue* place = argument_of(load, "map_location", 1);
  return is_text(place, "cpu") || (place != nullptr && place->text == "torch.device(cpu)");
}

}  // namespace

void check_load_on_each_rank(CheckContext& context) {
  const bool asks_for_host = context.page.severity == "note";
  for (const Observation& seen : context.timeline.observations) {
    if (!is_call(seen, "torch.load") && !is_call(seen, "torch.serialization.load")) continue;
    if (seen.written.open_arguments || seen.in_test || depends_on_rank(context, seen)) continue;
    const bool has_place = argument_of(seen, "map_location", 1) != nullptr;
    const bool fits =
        asks_for_host ? is_on_host(seen) && !argument_of(seen, "mmap", -1) : !has_place;
    if (!fits || !in_group(context, seen, asks_for_host)) continue;
    const std::string_view body = context.text(seen.written.body);
    if (!asks_for_host && body.find("load_state_dict") == std::string_view::npos) continue;
    RawFinding finding =
        context.finding_at(context.event(seen.event).place, context.severity(), {});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
