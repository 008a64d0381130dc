// SPDX-License-Identifier: MIT
//
// Loader workers hand their batches over in `/dev/shm`, of which a container has 64 MB by itself.
#include <algorithm>

#include "frontends/launch/memory_size.h"
#include "rules/loader_words.h"

namespace vramlint::rules {

using replay::Observation;
using replay::ObservationKind;

namespace {

/// `docker run image --shm-size=8g python x.py`: a size that is enough, and not docker's.
bool has_misplaced_size(const Observation& started) {
  constexpr std::string_view option = "--shm-size=";
  return std::ranges::any_of(started.arguments, [&](const replay::ObservedArgument& argument) {
    const std::string_view text = word_of(argument);
    return text.starts_with(option) &&
           !frontends::is_small_shared_memory(text.substr(option.size()),
                                              frontends::SizeUnits::docker);
  });
}

}  // namespace

void check_shared_memory_size(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    const bool is_small = seen.kind == ObservationKind::program_started && seen.small_shared_memory;
    if (!is_small || !asks_for_workers(seen) || !runs_training(context, seen)) continue;
    RawFinding finding =
        context.finding_at(context.event(seen.event).place, context.severity(), {});
    if (has_misplaced_size(seen))
      finding.help = "write `--shm-size` in front of the image: behind it, it is for the program";
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
