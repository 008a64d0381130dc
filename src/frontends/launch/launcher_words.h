// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "knowledge/launcher_rows.h"
#include "model/launch.h"

namespace vramlint::frontends {

/// Programs that start one another in one command; nobody writes more.
inline constexpr size_t most_launchers = 8;

/// Where the program stands that a wrapper starts: behind its options, their values, assignments
/// and numbers, as in `timeout 60 python x.py`.
size_t program_behind(const std::vector<model::LaunchWord>& words, size_t at,
                      const knowledge::LauncherRow& wrapper);

/// `nohup NAME=value python x.py`: the word that a launcher takes for the program to start.
struct TakenForProgram {
  model::LaunchWord launcher;
  model::LaunchSetting setting;
};

/// The first such word of a command, of a variable that we know.
std::optional<TakenForProgram> taken_for_program(const std::vector<model::LaunchWord>& words);

}  // namespace vramlint::frontends
