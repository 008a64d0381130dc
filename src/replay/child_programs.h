// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"
#include "model/launch.h"

// What the commands that a Python program gives to `subprocess` and the like start. Texts may have
// holes (holes.h).

namespace vramlint::replay {

/// The steps of a text that a shell reads.
std::vector<model::LaunchStep> steps_of_text(std::string_view text);

/// The steps of a program with its arguments, which no shell reads.
std::vector<model::LaunchStep> steps_of_words(const std::vector<std::string>& words);

/// The variables that no program in these steps reads as they are when the steps begin: it is given
/// others, or none. `withholds_all` alone: no program there has any use for them.
std::vector<std::string> unread_by(const std::vector<model::LaunchStep>& steps,
                                   const knowledge::Knowledge& knowledge);

/// Whether a command starts something that has a use for what has been exported.
bool may_read_environment(const model::LaunchStep& step, const knowledge::Knowledge& knowledge);

}  // namespace vramlint::replay
