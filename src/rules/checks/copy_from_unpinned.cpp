// SPDX-License-Identifier: MIT
//
// An asynchronous copy of what a loader gives that does not pin.
#include <algorithm>

#include "rules/source_edits.h"
#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

bool is_to_host(const Observation& copy) {
  return std::ranges::any_of(copy.arguments, [](const replay::ObservedArgument& argument) {
    return is_text(&argument.value, "cpu") || argument.device == replay::Device::cpu;
  });
}

/// Whether the loader certainly gives what lies in ordinary memory.
bool leaves_unpinned(const Observation& loader) {
  const replay::KnownValue* pin = argument_of(loader, "pin_memory", 7);
  const bool is_off = pin != nullptr && pin->kind == replay::KnownValue::Kind::boolean;
  if (pin == nullptr ? loader.written.open_arguments : !is_off || is_true(pin)) return false;
  return argument_of(loader, "collate_fn", 6) == nullptr;
}

}  // namespace

void check_copy_from_unpinned(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (!is_call(seen, ".to") && !is_call(seen, ".cuda")) continue;
    if (!seen.loop || !seen.loop->over_made_at || !seen.loop->over.ends_with("DataLoader"))
      continue;
    if (!is_true(argument_of(seen, "non_blocking", -1)) || is_to_host(seen)) continue;
    const std::string_view root = root_of(receiver_text(context, seen));
    if (!has_word(context.text(seen.loop->target), root)) continue;
    const Observation* loader = call_at(context, *seen.loop->over_made_at);
    if (loader == nullptr || !leaves_unpinned(*loader)) continue;
    RawFinding finding =
        context.finding_at(context.event(seen.event).place, context.severity(), {});
    finding.related.push_back({context.event(loader->event).place, "without `pin_memory=True`"});
    if (argument_of(*loader, "pin_memory", 7) == nullptr) {
      finding.fix = with_argument(context, context.event(loader->event).place, "pin_memory=True",
                                  Applicability::unsafe);
    }
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
