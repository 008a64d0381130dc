// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analyze.h"

namespace vramlint {

/// The file that a program or a launch file in this folder names: from there, or from the folder of
/// the project. Empty when there is none.
std::string found_near(const std::string& written, const std::string& folder,
                       const Workspace& workspace, const AnalyzeOptions& options);

}  // namespace vramlint
