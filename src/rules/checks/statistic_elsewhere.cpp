// SPDX-License-Identifier: MIT
//
// A call that needs CUDA, on every path of a program that also runs on another kind of device.
#include <algorithm>
#include <array>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

/// Words of a condition that asks for a kind of device.
constexpr std::array<std::string_view, 6> kinds = {"mps", "xpu",      "npu",
                                                   "cpu", "directml", "device"};

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

std::string_view unindented(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

/// Whether the function has returned before, where the device is of another kind.
bool has_left(const CheckContext& context, const replay::Observation& seen) {
  const replay::Place body = seen.written.body;
  const replay::Place place = context.event(seen.event).place;
  if (seen.written.function.empty() || body.file != place.file) return false;
  std::string_view text = context.text(body);
  text = text.substr(0, std::min<size_t>(place.span.begin - body.span.begin, text.size()));
  while (!text.empty()) {
    const std::string_view line = unindented(first_line(text));
    text.remove_prefix(std::min(first_line(text).size() + 1, text.size()));
    const bool asks = line.starts_with("if ") && has_any(line, kinds);
    if (asks && unindented(first_line(text)).starts_with("return")) return true;
  }
  return false;
}

}  // namespace

void check_statistic_elsewhere(CheckContext& context) {
  for (const replay::Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::call || !context.is_about(seen.name)) continue;
    if (seen.elsewhere.certainty == replay::Certainty::no || seen.uncalled) continue;
    // Elsewhere, a library asks for all its users.
    const replay::Event& asking = context.event(seen.elsewhere.event);
    if (asking.place.file != context.event(seen.event).place.file) continue;
    if (seen.conditional || seen.asked_for_gpu || seen.guards.runtime_error) continue;
    if (has_left(context, seen)) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"call", std::string(seen.name)}});
    finding.related.push_back({context.event(seen.elsewhere.event).place,
                               "the program asks for another kind of device here"});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
