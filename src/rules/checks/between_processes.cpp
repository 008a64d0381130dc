// SPDX-License-Identifier: MIT
//
// What goes wrong between a program and the processes that it starts: each page of the family is
// about one kind of observation.
#include <algorithm>
#include <array>

#include "rules/check.h"
#include "rules/source_edits.h"
#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using diagnostics::Severity;
using replay::Certainty;
using replay::Observation;
using replay::ObservationKind;

struct Kind {
  std::string_view page;
  ObservationKind kind;
};

constexpr std::array<Kind, 7> kinds = {{
    {"loader-workers-open-gpu", ObservationKind::workers_open_gpu},
    {"sender-ends-early", ObservationKind::sender_ends},
    {"cuda-in-forked-child", ObservationKind::forked_child_uses_gpu},
    {"spawn-without-main-guard", ObservationKind::child_restarts},
    {"not-picklable-for-spawn", ObservationKind::not_picklable},
    {"cuda-tensor-for-forked-child", ObservationKind::tensor_in_forked_child},
    {"cuda-tensor-pinned", ObservationKind::tensor_pinned},
}};

/// What is started by the default method is a fork before Python 3.14 and starts afresh from then
/// on.
constexpr knowledge::VersionRange forking_pythons = {knowledge::first_version, {3, 13}};

Severity severity_of(const CheckContext& context, const Observation& seen, bool every_python) {
  Certainty certainty = seen.conditional ? Certainty::perhaps : Certainty::yes;
  if (seen.cause) certainty = std::min(certainty, seen.cause->certainty);
  if (seen.started) certainty = std::min(certainty, seen.started->certainty);
  if (!every_python) certainty = Certainty::perhaps;
  return context.severity_of(seen, certainty);
}

/// Whether the fault is there on every Python of the target.
bool on_every_python(const CheckContext& context, const Observation& seen) {
  if (!seen.started || !seen.started->by_default) return true;
  if (seen.kind == ObservationKind::child_restarts || seen.kind == ObservationKind::not_picklable)
    return !context.target.python_may_be(forking_pythons);
  return context.target.python_is(forking_pythons);
}

/// `mp.Process(…)` becomes `mp.get_context("spawn").Process(…)`, where a child that starts afresh
/// would not run into the same line.
std::optional<RawFix> spawned(const CheckContext& context, const Observation& seen) {
  if (seen.kind != ObservationKind::forked_child_uses_gpu || !seen.started) return std::nullopt;
  const uint32_t file = context.event(seen.started->event).place.file;
  const std::string_view text = context.timeline.files[file]->bytes();
  std::optional<RawFix> fix;
  for (const std::string_view module : {"mp", "multiprocessing"}) {
    for (const std::string_view made : {".Process", ".Pool"}) {
      const std::string name = std::string(module) + std::string(made);
      // Which of several was started nobody can tell here.
      if (!has_word(text, name)) continue;
      const std::optional<size_t> at = only_word(text, name);
      if (!at || fix || *at == 0 || text[*at - 1] == '.') return std::nullopt;
      if (text.substr(*at + name.size(), 1) != "(") return std::nullopt;
      const size_t behind = *at + module.size();
      fix = fix_of(Applicability::unsafe, "start it afresh", part_of({file, {}}, {behind, behind}),
                   ".get_context(\"spawn\")");
    }
  }
  return fix;
}

void report(CheckContext& context, const Observation& seen) {
  const bool every_python = on_every_python(context, seen);
  const std::string when = every_python ? "" : " on Python before 3.14, which forks by default";
  RawFinding finding =
      context.finding_at(context.event(seen.event).place, severity_of(context, seen, every_python),
                         {{"what", std::string(seen.name)}, {"when", when}});
  if (seen.started && seen.started->event != seen.event) {
    finding.related.push_back({context.event(seen.started->event).place, "the child starts here"});
  }
  const bool is_context = seen.kind == ObservationKind::workers_open_gpu;
  const auto moment = is_context ? knowledge::Moment::context : knowledge::Moment::driver;
  if (seen.cause) context.explain_event(finding, *seen.cause, moment);
  context.explain_calls(finding, seen.event);
  finding.fix = spawned(context, seen);
  context.report(std::move(finding));
}

}  // namespace

void check_between_processes(CheckContext& context) {
  const auto* kind = std::ranges::find(kinds, context.page.name, &Kind::page);
  if (kind == kinds.end()) return;
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != kind->kind) continue;
    // Deep in a library, on some path only: whoever wrote the entry knows which path it is.
    const bool is_own = context.event(seen.event).place.file == context.timeline.entry;
    if (seen.kind == ObservationKind::child_restarts && seen.conditional && !is_own) continue;
    // What only perhaps started the driver most often did so on another path than the one that
    // forks.
    if (!seen.cause || seen.cause->certainty == Certainty::yes) report(context, seen);
  }
}

}  // namespace vramlint::rules
