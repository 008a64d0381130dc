// SPDX-License-Identifier: MIT
//
// `--print`: any stage of the straight way as text, for people who want to see why.
#include <fmt/format.h>

#include "analyze.h"
#include "analyze/launch.h"
#include "analyze/workspace.h"
#include "frontends/python.h"
#include "replay/replay.h"
#include "syntax/tree.h"

namespace vramlint {
namespace {

std::string_view name_of(replay::ObservationKind kind) {
  switch (kind) {
    case replay::ObservationKind::variable_write: return "write";
    case replay::ObservationKind::variable_removal: return "remove";
    case replay::ObservationKind::child_variable_write: return "write for child";
    case replay::ObservationKind::child_variable_left_out: return "left out for child";
    case replay::ObservationKind::variable_split: return "split";
    case replay::ObservationKind::variable_asked: return "ask";
    case replay::ObservationKind::variable_keyword: return "keyword";
    case replay::ObservationKind::variable_not_set: return "not set";
    case replay::ObservationKind::call: return "call";
    case replay::ObservationKind::attribute_write: return "assign";
    case replay::ObservationKind::constructor_missing: return "missing";
    case replay::ObservationKind::name_read: return "read";
    case replay::ObservationKind::name_asked: return "ask for";
    case replay::ObservationKind::graph_kept: return "graph kept";
    case replay::ObservationKind::child_started: return "child started";
    case replay::ObservationKind::child_forked: return "child forked";
    case replay::ObservationKind::forked_child_uses_gpu: return "forked child uses GPU";
    case replay::ObservationKind::child_restarts: return "child starts children";
    case replay::ObservationKind::not_picklable: return "not picklable";
    case replay::ObservationKind::tensor_sent: return "tensor sent";
    case replay::ObservationKind::daemon_starts: return "daemon starts child";
    case replay::ObservationKind::lock_of_other_context: return "lock of another context";
    case replay::ObservationKind::name_missing: return "name missing";
    case replay::ObservationKind::graph_sent: return "graph sent";
    case replay::ObservationKind::received_sent: return "received tensor sent";
    case replay::ObservationKind::tensor_in_forked_child: return "tensor in forked child";
    case replay::ObservationKind::workers_open_gpu: return "workers open GPU";
    case replay::ObservationKind::sender_ends: return "sender ends";
    case replay::ObservationKind::tensor_pinned: return "tensor pinned";
    case replay::ObservationKind::device_named: return "device";
    case replay::ObservationKind::batch_made: return "batch";
    case replay::ObservationKind::parameter_updated: return "parameter updated";
    case replay::ObservationKind::parameter_rebound: return "parameter rebound";
    case replay::ObservationKind::child_variable_passed: return "child variable passed";
    case replay::ObservationKind::variable_unseen: return "unseen write";
    case replay::ObservationKind::program_started: return "program";
  }
  return "";
}

std::string shown(const replay::Timeline& timeline, replay::EventId id) {
  const replay::Place place = timeline.events[id].place;
  if (timeline.files.empty()) return "?";
  const text::Source& source = *timeline.files[place.file];
  const auto [cell, at] = source.cell_position_of(place.span.begin);
  const std::string shown_cell = cell ? fmt::format("cell {}:", *cell) : "";
  return fmt::format("{}:{}{}:{}", source.path(), shown_cell, at.line, at.column);
}

std::string shown(const replay::KnownValue& value) {
  switch (value.kind) {
    case replay::KnownValue::Kind::unknown: return "?";
    case replay::KnownValue::Kind::none: return "None";
    case replay::KnownValue::Kind::boolean: return value.integer != 0 ? "True" : "False";
    case replay::KnownValue::Kind::integer: return fmt::format("{}", value.integer);
    case replay::KnownValue::Kind::real: return fmt::format("{}", value.real);
    case replay::KnownValue::Kind::text: return "\"" + std::string(value.text) + "\"";
    case replay::KnownValue::Kind::ending: return "…\"" + std::string(value.text) + "\"";
    case replay::KnownValue::Kind::device: return "<device>";
    case replay::KnownValue::Kind::other: return "<" + std::string(value.text) + ">";
  }
  return "";
}

/// Each block of the file in tree-sitter's notation.
std::string print_tree(const text::Source& source) {
  return syntax::Tree(source.program()).to_string() + "\n";
}

/// What the replay observed, with the moments that had been reached.
std::string print_events(const replay::Timeline& timeline, const knowledge::Knowledge& knowledge) {
  std::string text;
  for (const replay::Observation& seen : timeline.observations) {
    text += fmt::format("{} {} {}", shown(timeline, seen.event), name_of(seen.kind), seen.name);
    if (seen.kind != replay::ObservationKind::call) text += " = " + shown(seen.value);
    for (const replay::ObservedArgument& argument : seen.arguments) {
      text += fmt::format(" {}{}{}", argument.keyword, argument.keyword.empty() ? "" : "=",
                          shown(argument.value));
    }
    text += fmt::format(" [process {}{}]\n", seen.process, seen.uncalled ? ", uncalled" : "");
    for (size_t i = 1; i < knowledge::moment_count; ++i) {
      const replay::MomentState& state = seen.moments[i];
      if (state.certainty == replay::Certainty::no) continue;
      const bool certain = state.certainty == replay::Certainty::yes;
      text += fmt::format("    {} {} {}\n", certain ? "after" : "perhaps after",
                          knowledge.moment(static_cast<knowledge::Moment>(i)).phrase,
                          shown(timeline, state.event));
    }
  }
  const bool is_launch =
      !timeline.files.empty() && text::launches(timeline.files.front()->language());
  if (!timeline.complete && !is_launch)
    text += "the replay stopped early: the program is too large\n";
  return text;
}

}  // namespace

std::string print_stage(const std::string& stage, const std::string& path, Workspace& workspace,
                        const AnalyzeOptions& options) {
  const Result<std::shared_ptr<const text::Source>> source = workspace.files().open(path);
  if (!source) return path + ": " + source.error().message + "\n";
  if (stage == "tree") return print_tree(*source.value());
  AnalyzeOptions whole = options;
  whole.prefilter = false;
  const replay::Timeline timeline = text::launches(source.value()->language())
                                        ? launch_of(source.value(), workspace, options).timeline
                                        : timeline_of(path, workspace, whole, {});
  if (stage == "events") return print_events(timeline, workspace.knowledge());
  std::string text;
  for (const rules::RawFinding& finding :
       rules::run_checks(timeline, workspace.knowledge(), options.target, options.interest)) {
    text += fmt::format("{} {}\n", finding.page->name, finding.message);
  }
  return text;
}

}  // namespace vramlint
