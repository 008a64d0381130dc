// SPDX-License-Identifier: MIT
//
// A pinning loader whose batches are of a class that it does not look into.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

/// The loader that the batch came from: the last one made before it that pins.
const Observation* loader_before(const CheckContext& context, size_t index) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = index; i-- > 0;) {
    if (all[i].kind != ObservationKind::call || !all[i].name.ends_with(".DataLoader")) continue;
    if (is_true(argument_of(all[i], "pin_memory", 7)) && argument_of(all[i], "collate_fn", 6))
      return &all[i];
  }
  return nullptr;
}

}  // namespace

void check_batch_not_pinned(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind != ObservationKind::batch_made) continue;
    const Observation* loader = loader_before(context, i);
    const Observation& seen = loader != nullptr ? *loader : all[i];
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"class", std::string(all[i].value.text)}});
    finding.related.push_back({context.event(all[i].event).place, "its batches are taken here"});
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
