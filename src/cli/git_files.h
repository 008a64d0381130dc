// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace vramlint::cli {

/// What git says of a folder.
struct GitFiles {
  /// Relative to the folder; a nested repository is one entry, its folder, perhaps with a `/` at
  /// the end.
  std::vector<std::string> files;
  /// Folders that git could not look into, likewise relative, and why.
  std::vector<diagnostics::FileError> unreadable;
};

/// The files below a folder that git tracks or would track. Nothing when the folder is in no work
/// tree, is ignored itself, or git isn't there or refuses.
std::optional<GitFiles> git_files(const std::string& folder);

}  // namespace vramlint::cli
