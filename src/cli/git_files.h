// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vramlint::cli {

/// The files below a folder that git tracks or would track, relative to the folder; a nested
/// repository is one entry, its folder, perhaps with a `/` at the end. Nothing when the folder is
/// in no work tree, is ignored itself, or git isn't there or refuses.
std::optional<std::vector<std::string>> git_files(const std::string& folder);

}  // namespace vramlint::cli
