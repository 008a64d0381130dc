// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace vramlint::cli {

struct Discovery {
  std::vector<std::string> files;              ///< shown paths, sorted by their bytes, each once
  std::vector<diagnostics::FileError> errors;  ///< no such path, a folder that can't be read
};

/// Says whether a shown path, or the folder that it lies in, is left out.
using Excluded = std::function<bool(const std::string& path)>;

/// The files to lint below the paths that the user named. In a git work tree git says what is
/// ignored; elsewhere the folders are walked. `.git`, `node_modules`, `__pycache__` and virtual
/// environments are never entered, links to folders not followed, devices and pipes not opened. A
/// file named outright is taken even if it is excluded, unless `force_exclude`.
Discovery discover(const std::vector<std::string>& paths, const std::string& working_directory,
                   const Excluded& excluded, bool force_exclude);

}  // namespace vramlint::cli
