// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "knowledge/knowledge.h"
#include "model/launch.h"
#include "model/names.h"
#include "replay/replay.h"
#include "replay/timeline.h"

namespace vramlint::replay {

/// A Python file that a launch file starts, or a program that stands in it, with what it finds in
/// its environment.
struct LaunchedScript {
  std::string path;  ///< as it is written; of a program in a heredoc, the folder that it runs in
  std::vector<StartingVariable> environment;
  std::vector<text::Span> input;  ///< the lines of a program in a heredoc or behind `-c` …
  std::vector<text::Span> filled_in = {};  ///< … and what stands in them for unknown text
};

struct LaunchReplay {
  Timeline timeline;
  std::vector<LaunchedScript> scripts;
  std::vector<std::string> configurations;  ///< JSON files that programs are told of, as written
};

/// What the steps of a launch file do to the environments of the programs that they start. The
/// names in the timeline live as long as `names`.
LaunchReplay replay_launch(const model::Launch& launch, const knowledge::Knowledge& knowledge,
                           model::Names& names);

}  // namespace vramlint::replay
