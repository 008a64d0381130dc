// SPDX-License-Identifier: MIT
//
// Page-locked memory comes in powers of two: what lies a little above one takes almost twice as
// much.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

using replay::KnownValue;

constexpr int64_t mebibyte = 1024 * 1024;
/// A smaller waste is not worth a word.
constexpr int64_t least_waste = 256 * mebibyte;
constexpr int64_t most_bytes = int64_t{1} << 46;

constexpr std::string_view makers[] = {"torch.empty", "torch.zeros", "torch.ones", "torch.rand",
                                       "torch.randn"};

/// Bytes of an element: half of the bits that stand at the end of the name are bytes times four.
int64_t bytes_of(std::string_view dtype) {
  dtype.remove_prefix(dtype.rfind('.') + 1);
  int64_t bits = 0;
  int64_t place = 1;
  for (size_t i = dtype.size(); i-- > 0 && dtype[i] >= '0' && dtype[i] <= '9'; place *= 10)
    bits += place * (dtype[i] - '0');
  if (bits % 8 == 0 && bits > 0) return bits / 8;
  if (dtype == "double" || dtype == "long") return 8;
  if (dtype == "float" || dtype == "int") return 4;
  if (dtype == "half" || dtype == "short") return 2;
  return dtype == "bool" ? 1 : 0;
}

/// The size that the call states; 0 when it is not known.
int64_t stated_bytes(const Observation& made) {
  const KnownValue* dtype = argument_of(made, "dtype", -1);
  if (dtype != nullptr && dtype->kind != KnownValue::Kind::other) return 0;
  int64_t bytes = dtype == nullptr ? 4 : bytes_of(dtype->text);
  bool any = false;
  for (const replay::ObservedArgument& argument : made.arguments) {
    if (!argument.keyword.empty()) continue;
    const int64_t count = std::max(argument.product, integer_of(&argument.value));
    if (count <= 0 || bytes > most_bytes / count) return 0;
    bytes *= count;
    any = true;
  }
  return any ? bytes : 0;
}

int64_t rounded_up(int64_t bytes) {
  int64_t power = 1;
  while (power < bytes) power *= 2;
  return power;
}

bool rounding_is_set(const CheckContext& context) {
  return std::ranges::any_of(context.timeline.observations, [](const Observation& seen) {
    return seen.kind == ObservationKind::variable_write &&
           seen.value.text.find("pinned_") != std::string_view::npos;
  });
}

/// The tensor that is pinned here: made pinned, or made before and pinned now.
const Observation* pinned_by(const CheckContext& context, size_t index) {
  const std::vector<Observation>& all = context.timeline.observations;
  const Observation& seen = all[index];
  if (seen.kind != ObservationKind::call) return nullptr;
  if (seen.name != ".pin_memory") {
    const bool makes = std::ranges::find(makers, seen.name) != std::end(makers);
    return makes && is_true(argument_of(seen, "pin_memory", -1)) ? &seen : nullptr;
  }
  const auto& receiver = seen.written.receiver;
  if (!receiver || !receiver->written) return nullptr;
  for (size_t i = index; i-- > 0;) {
    if (std::ranges::find(makers, all[i].name) == std::end(makers)) continue;
    const bool is_chain = context.event(all[i].event).place == *receiver->written;
    const bool is_named = all[i].written.scope == seen.written.scope &&
                          assigned_text(context, all[i]) == receiver_text(context, seen);
    if (is_chain || is_named) return &all[i];
  }
  return nullptr;
}

std::string in_gibibytes(int64_t bytes) {
  const int64_t tenths = (bytes / mebibyte * 10 + 512) / 1024;
  const std::string whole = std::to_string(tenths / 10);
  return (tenths % 10 == 0 ? whole : whole + "." + std::to_string(tenths % 10)) + " GiB";
}

}  // namespace

void check_pinned_size(CheckContext& context) {
  if (rounding_is_set(context)) return;
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    const Observation* made = pinned_by(context, i);
    if (made == nullptr) continue;
    const int64_t bytes = stated_bytes(*made);
    const int64_t taken = rounded_up(bytes);
    if (bytes == 0 || taken - bytes < least_waste) continue;
    RawFinding finding =
        context.finding_at(context.event(all[i].event).place, context.severity(),
                           {{"size", in_gibibytes(bytes)}, {"taken", in_gibibytes(taken)}});
    context.explain_calls(finding, all[i].event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
