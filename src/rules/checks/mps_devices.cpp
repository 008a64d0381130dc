// SPDX-License-Identifier: MIT
//
// The MPS server numbers the devices that it is given from 0, and its clients choose among those. A
// list that both get is applied twice.
#include <algorithm>
#include <charconv>
#include <optional>

#include "rules/check.h"

namespace vramlint::rules {
namespace {

using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

/// Whether the list names a device that is not there any more once it has been applied.
bool changes_when_repeated(std::string_view list) {
  int count = 0;
  int highest = -1;
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    int index = 0;
    const auto [last, error] = std::from_chars(list.data(), list.data() + end, index);
    if (error != std::errc() || last != list.data() + end) return false;
    highest = std::max(highest, index);
    ++count;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return highest >= count;
}

}  // namespace

void check_mps_devices(CheckContext& context) {
  const Observation* devices = nullptr;
  const Observation* daemon = nullptr;
  for (const Observation& seen : context.timeline.observations) {
    const bool changes = seen.kind == ObservationKind::variable_write ||
                         seen.kind == ObservationKind::variable_removal;
    if (changes && seen.process == 0 && context.is_about(seen.name)) {
      const bool is_list =
          seen.kind == ObservationKind::variable_write && seen.value.kind == KnownValue::Kind::text;
      devices = is_list ? &seen : nullptr;
      if (daemon != nullptr) return;
    }
    if (seen.kind != ObservationKind::program_started || seen.process != 0) continue;
    const knowledge::LauncherRow* row = context.knowledge.launcher(seen.name);
    if (row == nullptr) continue;
    if (row->role == knowledge::LauncherRole::daemon && devices != nullptr) daemon = &seen;
    if (row->role != knowledge::LauncherRole::program || daemon == nullptr) continue;
    if (devices == nullptr || !changes_when_repeated(devices->value.text)) return;
    RawFinding finding = context.finding_at(context.event(devices->event).place, context.severity(),
                                            {{"devices", std::string(devices->value.text)}});
    finding.related.push_back({context.event(daemon->event).place, "the server numbers them anew"});
    finding.related.push_back({context.event(seen.event).place, "its client gets the list again"});
    return context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
