// SPDX-License-Identifier: MIT
//
// A checkpoint that every rank of a group loads: to the GPU that it was saved from, or as a whole
// into host memory.
#include <algorithm>
#include <array>

#include "rules/source_edits.h"
#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

/// Whether the program is one of several ranks when it comes here.
bool in_group(const CheckContext& context, const Observation& load, bool suspected) {
  const auto moment = static_cast<size_t>(knowledge::Moment::process_group);
  if (load.moments[moment].certainty != replay::Certainty::no) return true;
  if (!suspected && !load.uncalled) return false;
  const uint32_t file = context.event(load.event).place.file;
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
    const bool speaks = seen.kind == ObservationKind::call &&
                        seen.name.starts_with("torch.distributed.") &&
                        context.event(seen.event).place.file == file;
    return speaks && (suspected || seen.name.ends_with(".init_process_group"));
  });
}

/// Whether the program asks which GPU it was given: it has a load of its own for each answer.
bool depends_on_gpu(const CheckContext& context, const Observation& load) {
  return std::ranges::any_of(load.conditions, [&](replay::Place condition) {
    return has_any(context.text(condition), std::array<std::string_view, 2>{"gpu", "device"});
  });
}

/// What `name.load_state_dict(` belongs to holds numbers and no tensors on a GPU.
bool holds_numbers(std::string_view before) {
  const size_t begin = before.find_last_of(" \t\n=(;") + 1;
  const std::string_view receiver = before.substr(begin);
  return has_any(receiver, std::array<std::string_view, 4>{"sched", "sampler", "scaler", "loader"});
}

/// Whether what is loaded goes into a model or an optimizer.
bool fills_model(const CheckContext& context, const Observation& load) {
  const std::string_view body = context.text(load.written.body);
  const std::string_view name = assigned_text(context, load);
  const replay::Place place = context.event(load.event).place;
  constexpr std::string_view call = "load_state_dict(";
  for (size_t at = body.find(call); at != std::string_view::npos; at = body.find(call, at + 1)) {
    if (holds_numbers(body.substr(0, at))) continue;
    const size_t begin = at + call.size();
    const size_t line = std::min(body.find('\n', begin), body.size());
    const std::string_view given = body.substr(begin, line - begin);
    const size_t loaded = place.span.begin - load.written.body.span.begin;
    if (is_identifier(name) ? has_word(given, name) : loaded >= begin && loaded <= begin + 8)
      return true;
  }
  if (!is_identifier(name)) return false;
  for (const std::string_view key : {"model", "state_dict", "optim"}) {
    for (const std::string_view quote : {"[\"", "['"}) {
      const std::string part = std::string(name) + std::string(quote) + std::string(key);
      if (body.find(part) != std::string_view::npos) return true;
    }
  }
  return false;
}

bool is_on_host(const Observation& load) {
  const replay::KnownValue* place = argument_of(load, "map_location", 1);
  return is_text(place, "cpu") || (place != nullptr && place->text == "torch.device(cpu)");
}

}  // namespace

void check_load_on_each_rank(CheckContext& context) {
  const bool asks_for_host = context.page.severity == "note";
  for (const Observation& seen : context.timeline.observations) {
    if (!is_call(seen, "torch.load") && !is_call(seen, "torch.serialization.load")) continue;
    if (seen.written.open_arguments || seen.in_test || depends_on_rank(context, seen)) continue;
    const bool has_place = argument_of(seen, "map_location", 1) != nullptr;
    const bool fits =
        asks_for_host ? is_on_host(seen) && !argument_of(seen, "mmap", -1) : !has_place;
    if (!fits || !in_group(context, seen, asks_for_host)) continue;
    if (!asks_for_host && (depends_on_gpu(context, seen) || !fills_model(context, seen))) continue;
    RawFinding finding =
        context.finding_at(context.event(seen.event).place, context.severity(), {});
    context.explain_calls(finding, seen.event);
    if (!asks_for_host) {
      finding.fix = with_argument(context, context.event(seen.event).place, "map_location=\"cpu\"",
                                  Applicability::unsafe);
    }
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
