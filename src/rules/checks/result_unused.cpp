// SPDX-License-Identifier: MIT
//
// A method that gives a new tensor and leaves its own as it is, called as a statement, where the
// program goes on with the old one.
#include <algorithm>
#include <array>

#include "rules/source_edits.h"
#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;

/// Words of programs that measure how long a copy takes, and of those that wait for one.
constexpr std::array<std::string_view, 7> deliberate = {"time",   "Timer", "bench",  "profil",
                                                        "warmup", "sync",  "warm_up"};

/// What comes behind the statement in the function, or in the file.
std::string_view text_behind(const CheckContext& context, const Observation& seen) {
  const replay::Place body = seen.written.body;
  const replay::Place place = context.event(seen.event).place;
  if (body.file != place.file || body.span.end < place.span.end) return {};
  return context.text({place.file, {place.span.end, body.span.end}});
}

/// Whether the old tensor is used again, other than by the same statement.
bool is_used_behind(std::string_view behind, std::string_view name, std::string_view statement) {
  while (!behind.empty()) {
    const std::string_view line = behind.substr(0, behind.find('\n'));
    behind.remove_prefix(std::min(behind.size(), line.size() + 1));
    // What is asserted of the old one is known to be so.
    if (has_word(line, name))
      return line.find(statement) == std::string_view::npos && !has_word(line, "assert");
  }
  return false;
}

}  // namespace

void check_result_unused(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::call || !seen.name.ends_with("__dropped__")) continue;
    if (!context.is_about(seen.name) || seen.in_test) continue;
    if (seen.guards.expected || seen.guards.runtime_error) continue;
    const replay::Place place = context.event(seen.event).place;
    const text::Source& source = *context.timeline.files[place.file];
    const std::string_view name = receiver_text(context, seen);
    const std::string_view behind = text_behind(context, seen);
    // A notebook shows what the last line of a cell gives.
    if (source.language() == text::Language::notebook || !is_identifier(name)) continue;
    if (!is_used_behind(behind, name, context.text(place))) continue;
    if (has_any(context.text(seen.written.body), deliberate)) continue;
    RawFinding finding = context.finding_at(
        place, context.severity(),
        {{"call", std::string(context.text(place))}, {"name", std::string(name)}});
    context.explain_calls(finding, seen.event);
    if (seen.value.text == name && is_whole_statement(context, place))
      finding.fix =
          fix_of(Applicability::safe, "keep the result",
                 {place.file, {place.span.begin, place.span.begin}}, std::string(name) + " = ");
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
