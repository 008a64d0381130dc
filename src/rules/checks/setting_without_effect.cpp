// SPDX-License-Identifier: MIT
//
// A line that looks like a setting and sets nothing: the variable's name as a name of Python's own,
// or `==` for `=`.
#include <array>
#include <string>

#include "rules/source_edits.h"
#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;

/// By these a program may read any of its names.
constexpr std::array<std::string_view, 5> readers = {"globals(", "locals(", "vars(", "exec(",
                                                     "__all__"};

bool is_compared(const CheckContext& context, const Observation& seen) {
  return context.text(context.event(seen.event).place).find("==") != std::string_view::npos;
}

size_t mentions_of(std::string_view text, std::string_view word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

/// Whether the program works with CUDA itself, and nothing in it, nor likely anything that imports
/// it, reads the name.
bool is_read_by_nobody(const CheckContext& context, const Observation& seen) {
  const replay::Place place = context.event(seen.event).place;
  const std::string_view bytes = context.timeline.files[place.file]->bytes();
  const auto started = static_cast<size_t>(knowledge::Moment::cuda_init);
  const bool is_program = place.file == context.timeline.entry && !seen.in_library &&
                          context.timeline.at_end[started].certainty == replay::Certainty::yes;
  return is_program && mentions_of(bytes, seen.name) == 1 && !has_any(bytes, readers);
}

/// `==` becomes `=`.
RawFix assigned(const CheckContext& context, replay::Place place) {
  const size_t sign = context.text(place).find("==");
  return fix_of(Applicability::safe, "write it", part_of(place, {sign, sign + 2}), "=");
}

}  // namespace

void check_setting_without_effect(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::variable_not_set || seen.in_test) continue;
    const replay::Place place = context.event(seen.event).place;
    const bool compares = is_compared(context, seen);
    // A notebook shows what the last line of a cell gives.
    const bool is_notebook =
        context.timeline.files[place.file]->language() == text::Language::notebook;
    if (compares ? is_notebook : !is_read_by_nobody(context, seen)) continue;
    RawFinding finding = context.finding_at(
        place, context.severity(),
        {{"variable", std::string(seen.name)},
         {"problem", compares ? "compares, and drops the answer"
                              : "gives a name of Python's own a text, and nothing reads it"}});
    context.explain_calls(finding, seen.event);
    if (compares) finding.fix = assigned(context, place);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
