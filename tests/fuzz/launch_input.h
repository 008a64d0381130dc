// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "frontends/launch/inner_program.h"
#include "frontends/launch/launch.h"
#include "replay/launch.h"
#include "require.h"

namespace vramlint::fuzz {

/// Reads and replays a launch file: whatever the bytes, every place that is named lies in the file,
/// and what is said to stand there as it is stands there.
inline void check_launch(const uint8_t* data, size_t size, text::Language language,
                         const char* path) {
  const auto source = std::make_shared<const text::Source>(
      path, std::string(reinterpret_cast<const char*>(data), size), language);
  model::Names names;
  const model::Launch launch = frontends::read_launch(source);
  const auto lies_inside = [&](text::Span span) {
    return span.begin <= span.end && span.end <= size;
  };
  for (const model::LaunchStep& step : launch.steps) {
    require(lies_inside(step.span) && lies_inside(step.value.span));
    for (const model::LaunchWord& word : step.words) require(lies_inside(word.span));
    for (const model::LaunchSetting& setting : step.own) require(lies_inside(setting.span));
  }
  const replay::LaunchReplay made =
      replay::replay_launch(launch, knowledge::Knowledge::builtin(), names);
  for (const replay::Observation& seen : made.timeline.observations) {
    require(lies_inside(made.timeline.events[seen.event].place.span));
    if (seen.value.literal) require(lies_inside(seen.value.literal->span));
  }
  for (const replay::LaunchedScript& script : made.scripts) {
    if (script.input.empty()) continue;
    const auto program = frontends::inner_program(*source, script.input, script.filled_in);
    require(program == nullptr || program->program().size() == size);
  }
}

}  // namespace vramlint::fuzz
