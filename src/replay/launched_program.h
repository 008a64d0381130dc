// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"
#include "model/launch.h"

namespace vramlint::replay {

/// What a command starts in the end, behind all that only starts others.
struct LaunchedProgram {
  std::string_view name;  ///< of a launcher that we know, else of the command
  bool runs_python = false;
  bool debugged = false;
  const std::string* script = nullptr;  ///< a Python file among its words
  bool runs_input = false;              ///< the program is what Python reads: `python -`
};

/// Whether the Python at this place of a command builds or installs, and has no use for a GPU's
/// settings: `python -m pip`.
bool builds_or_installs(const std::vector<model::LaunchWord>& words, size_t python);

LaunchedProgram program_of(const model::LaunchStep& start, const knowledge::Knowledge& knowledge);

/// The configuration that an option of the command names: `--deepspeed FILE`; empty without one.
std::string configuration_of(const model::LaunchStep& start, const knowledge::Knowledge& knowledge);

}  // namespace vramlint::replay
