// SPDX-License-Identifier: MIT
//
// More batches on their way than a host can be expected to hold.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

/// So many batches at once are no buffer any more, whatever is in them.
constexpr int64_t most_batches = 256;
constexpr int64_t least_samples = 16;

}  // namespace

void check_batches_in_flight(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != ObservationKind::call || !seen.name.ends_with(".DataLoader")) continue;
    const int64_t workers = integer_of(argument_of(seen, "num_workers", 5));
    const int64_t ahead = integer_of(argument_of(seen, "prefetch_factor", -1));
    const int64_t samples = integer_of(argument_of(seen, "batch_size", 1));
    if (workers < 2 || workers > 4096 || ahead < 2 || ahead > 65536) continue;
    if (workers * ahead < most_batches || samples < least_samples) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"workers", std::to_string(workers)},
                                             {"ahead", std::to_string(ahead)},
                                             {"batches", std::to_string(workers * ahead)},
                                             {"samples", std::to_string(samples)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
