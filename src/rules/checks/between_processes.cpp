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

constexpr std::array<Kind, 12> kinds = {{
    {"loader-workers-open-gpu", ObservationKind::workers_open_gpu},
    {"sender-ends-early", ObservationKind::sender_ends},
    {"cuda-in-forked-child", ObservationKind::forked_child_uses_gpu},
    {"spawn-without-main-guard", ObservationKind::child_restarts},
    {"not-picklable-for-spawn", ObservationKind::not_picklable},
    {"cuda-tensor-for-forked-child", ObservationKind::tensor_in_forked_child},
    {"cuda-tensor-pinned", ObservationKind::tensor_pinned},
    {"graph-sent-to-process", ObservationKind::graph_sent},
    {"received-tensor-sent-on", ObservationKind::received_sent},
    {"lock-of-other-context", ObservationKind::lock_of_other_context},
    {"daemon-starts-process", ObservationKind::daemon_starts},
    {"name-under-main-guard", ObservationKind::name_missing},
}};

/// What is started by the default method is a fork before Python 3.14 and starts afresh from then
/// on.
constexpr knowledge::VersionRange forking_pythons = {knowledge::first_version, {3, 13}};

Severity severity_of(const CheckContext& context, const Observation& seen, bool every_python) {
  Certainty certainty = seen.conditional ? Certainty::perhaps : Certainty::yes;
  if (seen.cause) certainty = std::min(certainty, seen.cause->certainty);
  if (seen.started) certainty = std::min(certainty, seen.started->certainty);
  if (!every_python || seen.guards.runtime_error) certainty = Certainty::perhaps;
  return context.severity_of(seen, certainty);
}

/// Whether the fault is there on every Python of the target.
bool on_every_python(const CheckContext& context, const Observation& seen) {
  if (!seen.started || !seen.started->by_default) return true;
  if (seen.kind == ObservationKind::child_restarts || seen.kind == ObservationKind::not_picklable)
    return !context.target.python_may_be(forking_pythons);
  return context.target.python_is(forking_pythons);
}

/// The text of the call that begins there, to its closing bracket; empty for one that is very long.
std::string_view call_from(std::string_view text, size_t begin) {
  constexpr size_t longest = 2000;
  text = text.substr(begin, longest);
  for (size_t end = text.find(')'); end != std::string_view::npos; end = text.find(')', end + 1)) {
    const std::string_view call = text.substr(0, end + 1);
    if (read_call(call)) return call;
  }
  return {};
}

/// Whether something else of the module is made, a queue or a lock: of one start method, it can't
/// be given to a child of another.
bool makes_others(std::string_view text, const std::string& module, std::string_view made) {
  const std::string prefix = module + '.';
  for (size_t at = text.find(prefix); at != std::string_view::npos;
       at = text.find(prefix, at + 1)) {
    const std::string_view name = text.substr(at + prefix.size());
    const bool is_class = !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
    if (is_class && !name.starts_with(made)) return true;
  }
  return text.find("multiprocessing import") != std::string_view::npos;
}

/// Whether a child that starts afresh finds what it has to run under that name in its module.
bool is_found_by_name(std::string_view text, std::string_view call, std::string_view made) {
  if (made != "Process") return text.find("lambda") == std::string_view::npos;
  const std::optional<WrittenCall> written = read_call(call);
  const WrittenArgument* target = written ? written->argument("target", 1) : nullptr;
  if (target == nullptr || written->unpacks) return false;
  const std::string_view name = call.substr(target->value.begin, target->value.size());
  const std::string inner = " def " + std::string(name) + "(";
  return is_identifier(name) && text.find(inner) == std::string_view::npos;
}

/// `mp.Process(…)` becomes `mp.get_context("spawn").Process(…)`, where a child that starts afresh
/// gets along with what it is given and with importing the program again.
std::optional<RawFix> spawned(const CheckContext& context, const Observation& seen) {
  if (seen.kind != ObservationKind::forked_child_uses_gpu || !seen.started) return std::nullopt;
  // A fork that somebody has asked for is not undone in another place.
  if (!seen.started->by_default) return std::nullopt;
  const std::string_view entry = context.timeline.files[context.timeline.entry]->bytes();
  if (!has_word(entry, "__main__")) return std::nullopt;
  const uint32_t file = context.event(seen.started->event).place.file;
  const std::string_view text = context.timeline.files[file]->bytes();
  std::optional<RawFix> fix;
  for (const std::string module : {"mp", "multiprocessing"}) {
    for (const std::string_view made : {"Process", "Pool"}) {
      const std::string name = module + '.' + std::string(made);
      // Which of several was started nobody can tell here.
      if (!has_word(text, name)) continue;
      const std::optional<size_t> at = only_word(text, name);
      if (!at || fix || *at == 0 || text[*at - 1] == '.') return std::nullopt;
      if (text.substr(*at + name.size(), 1) != "(") return std::nullopt;
      if (makes_others(text, module, made)) return std::nullopt;
      if (!is_found_by_name(text, call_from(text, *at), made)) return std::nullopt;
      const size_t behind = *at + module.size();
      fix = fix_of(Applicability::unsafe, "start it afresh", part_of({file, {}}, {behind, behind}),
                   ".get_context(\"spawn\")");
    }
  }
  return fix;
}

/// What the message is about.
std::string subject_of(const Observation& seen) {
  if (seen.kind != ObservationKind::received_sent) return std::string(seen.name);
  return seen.name == "manager" ? "the process of the manager gets this CUDA tensor"
                                : "this CUDA tensor came from another process";
}

void report(CheckContext& context, const Observation& seen) {
  const bool every_python = on_every_python(context, seen);
  const std::string when = every_python ? "" : " on Python before 3.14, which forks by default";
  RawFinding finding = context.finding_at(
      context.event(seen.event).place, severity_of(context, seen, every_python),
      {{"what", subject_of(seen)},
       {"when", when},
       {"way", seen.started ? "a child that starts afresh gets everything by pickle"
                            : "tasks and what a queue carries go by pickle"}});
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
    // Whoever calls the function may have chosen another method for the whole program.
    const bool may_be_chosen = seen.uncalled && seen.started && seen.started->by_default;
    if (seen.kind == ObservationKind::lock_of_other_context && may_be_chosen) continue;
    // What only perhaps started the driver most often did so on another path than the one that
    // forks.
    if (!seen.cause || seen.cause->certainty == Certainty::yes) report(context, seen);
  }
}

}  // namespace vramlint::rules
