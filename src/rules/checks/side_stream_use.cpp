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

/// Whether the name, or one that is given a value between the two places, is used in the rest.
bool is_used(std::string_view between, std::string_view rest, std::string_view name) {
  if (has_word(rest, name)) return true;
  while (!between.empty()) {
    const size_t begin = std::min(between.find_first_not_of(" \t\n"), between.size());
    between.remove_prefix(begin);
    const std::string_view word = root_of(between);
    if (!word.empty() && between.substr(word.size()).starts_with(" = ") && has_word(rest, word))
      return true;
    between.remove_prefix(std::min(between.find('\n'), between.size()));
  }
  return false;
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
      if (wait.span.begin < context.event(all[i].event).place.span.end) continue;
      const std::string_view rest = context.text({loop.file, {wait.span.end, loop.span.end}});
      const replay::Place copy = context.event(all[i].event).place;
      const std::string_view between = context.text({loop.file, {copy.span.end, wait.span.begin}});
      if (!is_used(between, rest, name)) continue;
      RawFinding finding = context.finding_at(context.event(all[i].event).place, context.severity(),
                                              {{"name", std::string(name)}});
      finding.related.push_back({wait, "used on this stream from here on"});
      context.report(std::move(finding));
      break;
    }
  }
}

}  // namespace vramlint::rules
