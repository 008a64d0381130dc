// SPDX-License-Identifier: MIT
//
// Batches of worker processes kept in a list: each holds a descriptor of shared memory.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

/// A loader whose batches come out of shared memory as they are.
bool gives_shared_memory(const Observation& loader) {
  if (integer_of(argument_of(loader, "num_workers", 5)) < 1) return false;
  const replay::KnownValue* pin = argument_of(loader, "pin_memory", 7);
  return pin == nullptr || (pin->kind == replay::KnownValue::Kind::boolean && pin->integer == 0);
}

/// `for batch in loader` or `for i, batch in enumerate(loader)`: a part of a batch may be a name.
bool is_whole_batch(const CheckContext& context, const replay::LoopAround& loop,
                    std::string_view name) {
  const std::string_view target = context.text(loop.target);
  if (!is_identifier(name) || target == name) return target == name && is_identifier(name);
  const std::string_view head = context.text(loop.statement).substr(0, 200);
  const std::string_view index = root_of(target);
  const bool is_pair =
      target.ends_with(name) && !index.empty() && target.size() <= index.size() + name.size() + 2;
  return is_pair && head.find(" in enumerate(") != std::string_view::npos;
}

bool other_strategy(const CheckContext& context) {
  return std::ranges::any_of(context.timeline.observations, [](const Observation& seen) {
    return is_call(seen, "torch.multiprocessing.set_sharing_strategy") &&
           !is_text(argument_of(seen, "new_strategy", 0), "file_descriptor");
  });
}

}  // namespace

void check_batches_kept(CheckContext& context) {
  if (other_strategy(context) || context.target.platform == knowledge::Platform::macos) return;
  for (const Observation& seen : context.timeline.observations) {
    if (!is_call(seen, ".append") || seen.arguments.size() != 1 || seen.in_test) continue;
    if (!seen.loop || !seen.loop->over_made_at || !seen.arguments.front().written) continue;
    const std::string_view batch = context.text(*seen.arguments.front().written);
    const std::string_view list = receiver_text(context, seen);
    const std::string_view loop = context.text(seen.loop->statement);
    if (!is_whole_batch(context, *seen.loop, batch) || list.empty()) continue;
    if (seen.arguments.front().device != replay::Device::cpu) continue;
    if (assigns(loop, batch) || assigns(loop, list) || has_word(loop, "break")) continue;
    if (loop.find("clear") != std::string_view::npos) continue;
    const Observation* loader = call_at(context, *seen.loop->over_made_at);
    if (loader == nullptr || !gives_shared_memory(*loader)) continue;
    RawFinding finding =
        context.finding_at(context.event(seen.event).place, context.severity(),
                           {{"batch", std::string(batch)}, {"list", std::string(list)}});
    finding.related.push_back({context.event(loader->event).place, "its workers share them"});
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
