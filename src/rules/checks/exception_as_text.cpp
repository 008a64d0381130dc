// SPDX-License-Identifier: MIT
//
// `"out of memory" in error`: an exception is no text, and can't be searched.
#include <string>

#include "rules/source_edits.h"
#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;

/// From the handler that gives the exception this name, in the same function, to the place; empty
/// when there is none, or when the name stands for something else by then.
std::string_view handler_before(std::string_view before, std::string_view name) {
  const std::string head = " as " + std::string(name) + ":";
  const size_t at = before.rfind(head);
  if (at == std::string_view::npos) return {};
  const std::string_view inside = before.substr(at + head.size());
  const std::string_view line = before.substr(0, at);
  const bool is_handler =
      line.substr(line.rfind('\n') + 1).find("except") != std::string_view::npos;
  const bool is_other = inside.find("def ") != std::string_view::npos ||
                        inside.find("except") != std::string_view::npos || assigns(inside, name);
  return is_handler && !is_other ? before.substr(at) : std::string_view();
}

}  // namespace

void check_exception_as_text(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::call || !context.is_about(seen.name)) continue;
    if (seen.guards.expected) continue;
    const replay::Place place = context.event(seen.event).place;
    const std::string name(context.text(place));
    if (handler_before(context.text({place.file, {0, place.span.begin}}), name).empty()) continue;
    RawFinding finding = context.finding_at(
        place, context.severity(), {{"name", name}, {"error", std::string(seen.handling)}});
    context.explain_calls(finding, seen.event);
    finding.fix = fix_of(Applicability::safe, "search its text", place, "str(" + name + ")");
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
