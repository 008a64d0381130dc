// SPDX-License-Identifier: MIT
//
// `empty_cache()`, a statistic or a limit of the current GPU, in a program that works on another
// one.
#include <algorithm>
#include <array>

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

/// What puts work on other GPUs than the one that it is given.
constexpr std::array<std::string_view, 3> spreading = {"DataParallel", "data_parallel",
                                                       "device_map"};

/// Whether something may use the first GPU that nobody sees here.
bool may_work_here(const CheckContext& context) {
  const auto spreads = [](const auto& file) { return has_any(file->bytes(), spreading); };
  return uses_other_libraries(context) || std::ranges::any_of(context.timeline.files, spreads);
}

/// Whether the program asks about a device by its name as well: then it means the other one here.
bool tells_devices_apart(const CheckContext& context) {
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
    return seen.kind == ObservationKind::call && context.is_about(seen.name) && names_device(seen);
  });
}

/// What is asserted of the device is known to be so.
bool is_asserted(const CheckContext& context, replay::Place place) {
  const std::string_view bytes = context.timeline.files[place.file]->bytes();
  const std::string_view front = bytes.substr(0, place.span.begin);
  return has_word(front.substr(front.rfind('\n') + 1), "assert");
}

}  // namespace

void check_cache_of_other_device(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != ObservationKind::call || !context.is_about(seen.name)) continue;
    const auto started = seen.moments[static_cast<size_t>(knowledge::Moment::cuda_init)];
    const bool is_limit = seen.name.ends_with("fraction");
    if (!is_limit && started.certainty != replay::Certainty::yes) continue;
    if (is_in_device_block(seen) || seen.uncalled || names_device(seen)) continue;
    if (!works_elsewhere(context, seen) || tells_devices_apart(context)) continue;
    if (is_asserted(context, context.event(seen.event).place) || may_work_here(context)) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"call", std::string(seen.name)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
