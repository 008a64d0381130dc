// SPDX-License-Identifier: MIT
//
// Loader workers hand their batches over in `/dev/shm`, of which a container has 64 MB by itself.
#include "rules/loader_words.h"

namespace vramlint::rules {

using replay::Observation;
using replay::ObservationKind;

void check_shared_memory_size(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    const bool is_small = seen.kind == ObservationKind::program_started && seen.small_shared_memory;
    if (!is_small || !asks_for_workers(seen) || !runs_training(context, seen)) continue;
    context.report(context.finding_at(context.event(seen.event).place, context.severity(), {}));
  }
}

}  // namespace vramlint::rules
