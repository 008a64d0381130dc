// SPDX-License-Identifier: MIT
#include "launched.h"

#include "frontends/launch/launch.h"
#include "replay/launch.h"

namespace vramlint {
namespace {

using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

std::string value_text(const KnownValue& value) {
  if (value.kind == KnownValue::Kind::text) return std::string(value.text);
  if (value.kind == KnownValue::Kind::ending) return "…" + std::string(value.text);
  return "?";
}

std::string shown(const Observation& seen) {
  const std::string name(seen.name);
  switch (seen.kind) {
    case ObservationKind::variable_write: {
      std::string text = name + "=" + value_text(seen.value);
      if (seen.form == replay::WriteForm::set_default) text += " by default";
      if (seen.conditional) text += " perhaps";
      return seen.process == 0 ? text : "(" + text + ")";
    }
    case ObservationKind::variable_removal: return "-" + name;
    case ObservationKind::variable_unseen: return name + "?";
    case ObservationKind::program_started: return "!" + name;
    default: return "other";
  }
}

}  // namespace

std::string launched(const std::string& path, const std::string& text) {
  model::Names names;
  const auto source =
      std::make_shared<const text::Source>(path, text, text::language_of(path, text));
  const replay::LaunchReplay made =
      replay::replay_launch(frontends::read_launch(source), knowledge::Knowledge::builtin(), names);
  std::string line;
  for (const Observation& seen : made.timeline.observations) {
    line += (line.empty() ? "" : "; ") + shown(seen);
    const auto& literal = seen.value.literal;
    const bool stands = !literal || source->slice(literal->span) == seen.value.text;
    if (seen.kind == ObservationKind::variable_write && !stands) line += " (elsewhere)";
  }
  return line;
}

}  // namespace vramlint
