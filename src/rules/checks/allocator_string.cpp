// SPDX-License-Identifier: MIT
//
// What PyTorch will make of an allocator string that the program writes. `settings/` reads the
// string and has the words; each page of the family picks the problems that bear its name. Here it
// is only decided which releases read the string, and whether something else in the program makes
// it right.
#include <algorithm>

#include "rules/check.h"
#include "settings/releases.h"

namespace vramlint::rules {
namespace {

using diagnostics::Applicability;
using diagnostics::Severity;
using knowledge::Version;
using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;
using settings::Problem;
using settings::ReleasesProblem;

/// A string that PyTorch will read, and the releases that do.
struct Written {
  const KnownValue* value = nullptr;
  std::string_view variable;
  std::vector<Version> releases;
};

bool is_write(const Observation& seen) {
  return seen.kind == ObservationKind::variable_write ||
         seen.kind == ObservationKind::child_variable_write;
}

bool calls(const replay::Timeline& timeline, std::string_view name) {
  return std::ranges::any_of(timeline.observations, [name](const Observation& seen) {
    return seen.kind == ObservationKind::call && seen.name == name;
  });
}

/// Whether a call that makes the problem untrue is there, or may be where nobody looked.
bool is_satisfied(const CheckContext& context, const Observation& seen, const Problem& problem) {
  if (problem.satisfied_by.empty()) return false;
  const bool unseen = (!context.timeline.complete && !context.timeline.alone) ||
                      seen.kind == ObservationKind::child_variable_write;
  return unseen || calls(context.timeline, problem.satisfied_by);
}

/// The bytes of the problem where the text stands as it is; else all that was written.
replay::Place place_of(const CheckContext& context, const Observation& seen,
                       const KnownValue& value, const Problem& problem) {
  const std::optional<replay::Place>& literal = value.literal;
  if (!literal) return context.event(seen.event).place;
  const bool exact = value.plain && context.text(*literal) == value.text;
  if (!exact || problem.span.size() == 0) return *literal;
  const uint32_t begin = literal->span.begin;
  return {literal->file, {begin + problem.span.begin, begin + problem.span.end}};
}

bool stands_as_it_is(const CheckContext& context, const KnownValue& value) {
  return value.literal && value.plain && context.text(*value.literal) == value.text;
}

void add_fix(const CheckContext& context, const KnownValue& value, const Problem& problem,
             RawFinding& finding) {
  if (!problem.replacement || !stands_as_it_is(context, value)) return;
  RawFix fix;
  fix.applicability = problem.safe ? Applicability::safe : Applicability::unsafe;
  fix.title = problem.replacement->empty() ? "take it out" : "write `" + *problem.replacement + "`";
  replay::Place place = finding.place;
  if (problem.replaced) {
    const uint32_t begin = value.literal->span.begin;
    place.span = {begin + problem.replaced->begin, begin + problem.replaced->end};
  }
  fix.edits.push_back({place, *problem.replacement});
  finding.fix = std::move(fix);
}

void report(CheckContext& context, const Observation& seen, const KnownValue& value,
            const ReleasesProblem& found) {
  const Problem& problem = found.problem;
  if (problem.rule != context.page.name || is_satisfied(context, seen, problem)) return;
  Severity severity = severity_of(problem.severity);
  std::string message = message_of(problem, found.releases);
  // The rule about the order has its error already, and whoever follows it meets this fault next.
  if (seen.kind == ObservationKind::variable_write && context.is_lost(seen)) {
    severity = std::min(severity, Severity::warning);
    message = "once it is written in time: " + message;
  }
  RawFinding finding = context.finding_at(place_of(context, seen, value, problem), severity,
                                          {{"problem", std::move(message)}});
  if (!found.all) finding.torch = found.releases;
  add_fix(context, value, problem, finding);
  context.explain_calls(finding, seen.event);
  context.report(std::move(finding));
}

std::vector<Version> releases_that_read(const CheckContext& context,
                                        const knowledge::VariableRow& variable) {
  const bool is_native = variable.native_platform == knowledge::name_of(context.target.platform);
  std::vector<Version> out;
  std::ranges::copy_if(context.target.torch, std::back_inserter(out), [&](Version release) {
    return is_native || variable.torch.contains(release);
  });
  return out;
}

/// The string that the run-time setter is given is read at once.
Written given_to_call(const CheckContext& context, const Observation& seen) {
  for (const knowledge::CallRow* row : context.knowledge.calls_named(seen.name)) {
    if (row->allocator_string_position < 0) continue;
    const KnownValue* value = argument_of(seen, {}, row->allocator_string_position);
    return {value, {}, context.target.torch};
  }
  return {};
}

Written written_by(const CheckContext& context, const Observation& seen) {
  if (seen.kind == ObservationKind::call) return given_to_call(context, seen);
  if (!is_write(seen)) return {};
  const knowledge::VariableRow* variable = context.knowledge.variable(seen.name);
  if (variable == nullptr || !variable->allocator_string) return {};
  return {&seen.value, seen.name, releases_that_read(context, *variable)};
}

}  // namespace

void check_allocator_string(CheckContext& context) {
  const knowledge::AllocatorTables tables{context.knowledge.allocator_keys(),
                                          context.knowledge.allocator_grammars(),
                                          context.knowledge.allocator_interactions()};
  for (const Observation& seen : context.timeline.observations) {
    const Written written = written_by(context, seen);
    const bool is_text = written.value != nullptr && written.value->kind == KnownValue::Kind::text;
    if (!is_text || written.releases.empty()) continue;
    const settings::ReleasesReading reading = settings::read_for_releases(
        written.value->text, written.releases, tables,
        settings::platform_for(written.variable, tables, context.target.platform));
    for (const ReleasesProblem& found : reading.problems) {
      report(context, seen, *written.value, found);
    }
  }
}

}  // namespace vramlint::rules
