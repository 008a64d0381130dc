// SPDX-License-Identifier: MIT
//
// A function that is written without its parentheses where its result is wanted.
#include <array>

#include "rules/source_edits.h"
#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using diagnostics::Severity;
using replay::Observation;

/// What Python does with the function in this place.
struct Use {
  std::string_view method;
  Severity severity;
  std::string_view problem;
};

constexpr std::array<Use, 5> uses = {{
    {"__eq__", Severity::warning, "is the function itself, which equals no number"},
    {"__statement__", Severity::warning, "calls nothing: this line has no effect"},
    {"__bool__", Severity::warning, "is the function itself, which is always true"},
    {"__str__", Severity::warning, "is the function itself: the text shows that, and no number"},
    {"__format__", Severity::error, "is the function itself, which no format fits: TypeError"},
}};

constexpr Use in_arithmetic = {
    {}, Severity::error, "is the function itself, with which nothing can be computed: TypeError"};

const Use& use_of(std::string_view name) {
  const std::string_view method = name.substr(name.rfind('.') + 1);
  for (const Use& use : uses) {
    if (use.method == method) return use;
  }
  return in_arithmetic;
}

/// `torch.cuda.is_bf16_supported and torch.cuda.is_bf16_supported()`: whether it is there is asked.
bool is_called_beside(const CheckContext& context, replay::Place place) {
  const text::Source& source = *context.timeline.files[place.file];
  const std::string_view line = source.line(source.position_of(place.span.begin).line);
  return line.find(std::string(context.text(place)) + "(") != std::string_view::npos;
}

/// `use_cuda = torch.cuda.is_available`: a name for a question, which nobody asks. Any other
/// function that a name holds may be one or none.
bool holds_question(const CheckContext& context, const Observation& seen, replay::Place place) {
  const std::string_view function = seen.name.substr(0, seen.name.rfind('.'));
  const std::string_view last = function.substr(function.rfind('.') + 1);
  const std::string_view bytes = context.timeline.files[place.file]->bytes();
  const std::string name(context.text(place));
  return last.starts_with("is_") && name != last &&
         bytes.find(name + "(") == std::string_view::npos;
}

bool is_meant(const CheckContext& context, const Observation& seen, replay::Place place) {
  if (!seen.name.ends_with("__bool__")) return false;
  if (is_identifier(context.text(place))) return !holds_question(context, seen, place);
  return is_called_beside(context, place);
}

/// The name itself, without the brackets around it.
replay::Place name_at(const CheckContext& context, replay::Place place) {
  constexpr std::string_view around = "( \t\r\n)\\";
  const std::string_view text = context.text(place);
  const size_t first = text.find_first_not_of(around);
  if (first == std::string_view::npos) return place;
  return part_of(place, {first, text.find_last_not_of(around) + 1});
}

}  // namespace

void check_uncalled(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    const bool is_use = seen.kind == replay::ObservationKind::call && seen.name.ends_with("__");
    if (!is_use || seen.written.receiver || !context.is_about(seen.name)) continue;
    if (seen.guards.expected || seen.guards.attribute_error) continue;
    const replay::Place place = name_at(context, context.event(seen.event).place);
    const Use& use = use_of(seen.name);
    if (is_meant(context, seen, place)) continue;
    RawFinding finding = context.finding_at(
        place, use.severity,
        {{"call", std::string(context.text(place))}, {"problem", std::string(use.problem)}});
    context.explain_calls(finding, seen.event);
    finding.fix = fix_of(Applicability::safe, "call it",
                         {place.file, {place.span.end, place.span.end}}, "()");
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
