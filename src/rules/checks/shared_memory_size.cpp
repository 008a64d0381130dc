// SPDX-License-Identifier: MIT
//
// Loader workers hand their batches over in `/dev/shm`, of which a container has 64 MB by itself.
#include <algorithm>
#include <charconv>

#include "rules/check.h"

namespace vramlint::rules {
namespace {

using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

std::string_view text_of(const replay::ObservedArgument& argument) {
  return argument.value.kind == KnownValue::Kind::text ? argument.value.text : std::string_view();
}

int number_in(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

/// `--num-workers 8`, `--num_workers=8`, `data.workers=8`.
bool asks_for_workers(const Observation& seen) {
  for (size_t i = 0; i < seen.arguments.size(); ++i) {
    std::string_view text = text_of(seen.arguments[i]);
    const size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    if (!name.ends_with("workers")) continue;
    if (equals != std::string_view::npos && number_in(text.substr(equals + 1)) > 0) return true;
    const bool is_option = name.starts_with("--") && equals == std::string_view::npos;
    if (is_option && i + 1 < seen.arguments.size() && number_in(text_of(seen.arguments[i + 1])) > 0)
      return true;
  }
  return false;
}

/// A Python program among the words, and no server whose workers are processes of their own.
bool runs_training(const CheckContext& context, const Observation& seen) {
  return std::ranges::any_of(seen.arguments, [&](const replay::ObservedArgument& argument) {
    const std::string_view text = text_of(argument);
    if (text.ends_with(".py")) return true;
    const knowledge::LauncherRow* row = context.knowledge.launcher(text);
    return row != nullptr &&
           (row->name == "torchrun" || row->name == "accelerate" || row->name == "deepspeed");
  });
}

}  // namespace

void check_shared_memory_size(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    const bool is_small = seen.kind == ObservationKind::program_started && seen.small_shared_memory;
    if (!is_small || !asks_for_workers(seen) || !runs_training(context, seen)) continue;
    context.report(context.finding_at(context.event(seen.event).place, context.severity(), {}));
  }
}

}  // namespace vramlint::rules
