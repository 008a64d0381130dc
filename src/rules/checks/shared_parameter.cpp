// SPDX-License-Identifier: MIT
//
// What a child does to a tensor that it shares with its parent: gives its name another value, or
// counts in it without a lock.
#include <algorithm>

#include "rules/source_edits.h"
#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

bool shares(const Observation& seen) {
  return is_call(seen, ".share_memory_") || is_call(seen, ".share_memory");
}

/// A call that starts the function in several processes.
bool starts_many(const CheckContext& context, const Observation& seen, std::string_view function) {
  if (seen.kind != ObservationKind::call || seen.arguments.empty()) return false;
  const bool spawns = seen.name == "torch.multiprocessing.spawn";
  for (const replay::ObservedArgument& argument : seen.arguments) {
    const bool is_target =
        spawns ? &argument == &seen.arguments.front() : argument.keyword == "target";
    if (!is_target || !argument.written || context.text(*argument.written) != function) continue;
    if (!spawns) return seen.name.ends_with("Process") && (seen.loop || seen.written.rounds > 1);
    const replay::KnownValue* count = argument_of(seen, "nprocs", 2);
    return count != nullptr &&
           (count->kind != replay::KnownValue::Kind::integer || count->integer > 1);
  }
  return false;
}

/// Where the same line is run by several processes.
bool has_rival(const CheckContext& context, const Observation& update) {
  const replay::Place place = context.event(update.event).place;
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
    if (starts_many(context, seen, update.written.function)) return true;
    return seen.kind == update.kind && seen.process != update.process &&
           context.event(seen.event).place == place;
  });
}

bool is_lost(const CheckContext& context, const Observation& seen) {
  const replay::Place body = seen.written.body;
  const std::string_view text = context.text(body);
  if (seen.kind == ObservationKind::parameter_rebound) {
    const uint32_t end = context.event(seen.event).place.span.end;
    return !has_word(context.text({body.file, {end, body.span.end}}), seen.name);
  }
  const bool locks = text.find("lock") != std::string_view::npos ||
                     text.find("acquire") != std::string_view::npos ||
                     text.find("with ") != std::string_view::npos;
  return !locks && has_rival(context, seen);
}

/// `t = t + 1` becomes `t += 1`.
std::optional<RawFix> in_place(const CheckContext& context, const Observation& seen) {
  const replay::Place place = context.event(seen.event).place;
  const text::Source& source = *context.timeline.files[place.file];
  const uint32_t line = source.position_of(place.span.begin).line;
  const std::string_view text = source.line(line);
  const std::string name(seen.name);
  for (const char sign : {'+', '-', '*'}) {
    const std::string before = name + " = " + name + " " + sign + " ";
    const size_t at = text.find_first_not_of(" \t");
    if (at == std::string_view::npos || !text.substr(at).starts_with(before)) continue;
    const std::string_view operand = text.substr(at + before.size());
    // `t * 2 + 1` would be another sum.
    if (operand.find_first_of(" #;") != std::string_view::npos) return std::nullopt;
    const uint32_t begin = source.line_begin(line) + static_cast<uint32_t>(at);
    return fix_of(Applicability::unsafe, "change it in place",
                  {place.file, {begin, begin + static_cast<uint32_t>(before.size())}},
                  name + " " + sign + "= ");
  }
  return std::nullopt;
}

}  // namespace

void check_shared_parameter(CheckContext& context) {
  const ObservationKind kind = context.page.name == "shared-tensor-rebound"
                                   ? ObservationKind::parameter_rebound
                                   : ObservationKind::parameter_updated;
  bool any_shared = false;
  for (const Observation& seen : context.timeline.observations) {
    any_shared = any_shared || shares(seen);
    if (!any_shared || seen.kind != kind || !is_lost(context, seen)) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"name", std::string(seen.name)}});
    context.explain_calls(finding, seen.event);
    if (seen.kind == ObservationKind::parameter_rebound) finding.fix = in_place(context, seen);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
