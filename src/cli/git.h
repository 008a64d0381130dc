// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/system.h"

namespace vramlint::cli {

/// Runs git in a folder, in its own words for programs (`C` locale), without the variables that in
/// a hook speak of another folder. Nothing that the repository names is started: no file monitor,
/// no pager, no external diff.
ProgramAnswer ask_git(const std::string& folder, std::vector<std::string> arguments);

/// The pieces of a listing in which each ends with a NUL.
std::vector<std::string_view> nul_separated(std::string_view text);

/// Whether the folder or one above it is a repository; spares starting git elsewhere.
bool in_work_tree(const std::string& folder);

}  // namespace vramlint::cli
