// SPDX-License-Identifier: MIT
//
// The index of a device that `CUDA_VISIBLE_DEVICES` does not show.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

/// How many devices are shown; 0 when that is not known, or none is.
int64_t shown_devices(std::string_view list) {
  if (list.empty() || list.find('-') != std::string_view::npos) return 0;
  return 1 + std::ranges::count(list, ',');
}

/// The write that is in force at the observation; null when nobody knows which.
const Observation* mask_before(const CheckContext& context, size_t index) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = index; i-- > 0;) {
    const bool changes = all[i].kind == ObservationKind::variable_write ||
                         all[i].kind == ObservationKind::variable_removal;
    if (!changes || all[i].name != "CUDA_VISIBLE_DEVICES") continue;
    if (all[i].process != all[index].process) continue;
    const auto driver = static_cast<size_t>(knowledge::Moment::driver);
    const bool in_time = all[i].moments[driver].certainty == replay::Certainty::no;
    const bool is_known = all[i].kind == ObservationKind::variable_write && in_time &&
                          !all[i].conditional && all[i].form != replay::WriteForm::set_default &&
                          all[i].value.kind == replay::KnownValue::Kind::text;
    return is_known ? &all[i] : nullptr;
  }
  return nullptr;
}

/// Whether the program comes here under a condition, and counts the devices in that file: what it
/// does with two of them it does not do with one.
bool counts_devices(const CheckContext& context, const Observation& seen) {
  const uint32_t file = context.event(seen.event).place.file;
  return seen.conditional &&
         context.timeline.files[file]->bytes().find("device_count") != std::string_view::npos;
}

}  // namespace

void check_masked_device_index(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool selects = is_call(all[i], "torch.cuda.set_device") && !all[i].arguments.empty();
    const bool uses = all[i].kind == ObservationKind::device_named && all[i].name != "torch.device";
    if (!uses && !selects) continue;
    const int64_t index = integer_of(selects ? &all[i].arguments.front().value : &all[i].value);
    const Observation* mask = index > 0 ? mask_before(context, i) : nullptr;
    if (mask == nullptr || all[i].guards.runtime_error) continue;
    const int64_t count = shown_devices(mask->value.text);
    if (count == 0 || index < count || counts_devices(context, all[i])) continue;
    const auto severity = context.severity_of(
        all[i], all[i].conditional ? replay::Certainty::perhaps : replay::Certainty::yes);
    RawFinding finding = context.finding_at(context.event(all[i].event).place, severity,
                                            {{"index", std::to_string(index)},
                                             {"count", std::to_string(count)},
                                             {"list", std::string(mask->value.text)}});
    finding.related.push_back({context.event(mask->event).place, "only these devices are seen"});
    context.explain_calls(finding, all[i].event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
