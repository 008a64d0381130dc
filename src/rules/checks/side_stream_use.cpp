// SPDX-License-Identifier: MIT
//
// A tensor made on a side stream in each round of a loop and used on another stream, without a word
// to the allocator.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

bool on_side_stream(const Observation& seen) {
  return std::ranges::any_of(seen.contexts, [](std::string_view around) {
    return around == "torch.cuda.stream" || around == "torch.cuda.StreamContext";
  });
}

/// `torch.cuda.current_stream().wait_stream(side)`: not the other way round.
bool main_waits(const CheckContext& context, const Observation& seen) {
  if (!is_call(seen, ".wait_stream") || !seen.written.receiver) return false;
  return receiver_text(context, seen).find("current_stream") != std::string_view::npos ||
         seen.written.receiver->made_by.ends_with(".current_stream");
}

/// Whether the program does one of the things that make it safe.
bool is_safe(const CheckContext& context, const Observation& made) {
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
    if (seen.kind != ObservationKind::call || seen.process != made.process) return false;
    if (seen.name == ".record_stream" || seen.name.ends_with("synchronize")) return true;
    return seen.name == ".wait_stream" && !main_waits(context, seen);
  });
}

}  // namespace

void check_side_stream_use(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!is_call(all[i], ".to") && !is_call(all[i], ".cuda")) continue;
    const std::string_view name = assigned_text(context, all[i]);
    if (!all[i].loop || !is_identifier(name) || !on_side_stream(all[i])) continue;
    if (is_safe(context, all[i])) continue;
    for (size_t j = i + 1; j < all.size(); ++j) {
      const bool waits = main_waits(context, all[j]) && !on_side_stream(all[j]) &&
                         all[j].written.scope == all[i].written.scope;
      if (!waits) continue;
      const replay::Place wait = context.event(all[j].event).place;
      const replay::Place loop = all[i].loop->statement;
      if (wait.file != loop.file || wait.span.end >= loop.span.end) continue;
      const std::string_view rest = context.text({loop.file, {wait.span.end, loop.span.end}});
      if (!has_word(rest, name)) continue;
      RawFinding finding = context.finding_at(context.event(all[i].event).place, context.severity(),
                                              {{"name", std::string(name)}});
      finding.related.push_back({wait, "used on this stream from here on"});
      context.report(std::move(finding));
      break;
    }
  }
}

}  // namespace vramlint::rules
