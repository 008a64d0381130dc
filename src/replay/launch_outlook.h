// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "knowledge/knowledge.h"
#include "model/launch.h"
#include "replay/launched_program.h"

namespace vramlint::replay {

/// What is still to come at each step of a launch file.
struct LaunchOutlook {
  static constexpr size_t no_step = static_cast<size_t>(-1);

  struct After {
    bool program = false;   ///< one that gets what is exported
    bool debugged = false;  ///< one under a debugger
    bool anything = false;
    size_t next_program = no_step;
  };

  std::vector<LaunchedProgram> programs;  ///< by step
  std::vector<After> after;               ///< by step, and one for the end
  std::vector<bool> read_below;  ///< by step: whether a later one of its shell, or of shells in
                                 ///< that, may use what is exported, as it is
  std::set<std::string, std::less<>> named;      ///< given to some program by name
  std::set<std::string, std::less<>> handed_on;  ///< exported somewhere, or passed on by name
};

LaunchOutlook outlook_of(const model::Launch& launch, const knowledge::Knowledge& knowledge);

}  // namespace vramlint::replay
