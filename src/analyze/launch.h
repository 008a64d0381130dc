// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "analyze.h"
#include "replay/launch.h"
#include "text/source.h"

namespace vramlint {

/// The findings of a file that launches programs, and those that it makes in the local scripts that
/// it starts.
Analysis analyze_launch(const std::shared_ptr<const text::Source>& source, Workspace& workspace,
                        const AnalyzeOptions& options);

/// What the file does, for `--print`.
replay::LaunchReplay launch_of(const std::shared_ptr<const text::Source>& source,
                               Workspace& workspace, const AnalyzeOptions& options);

}  // namespace vramlint
