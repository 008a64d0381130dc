// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "analyze.h"
#include "replay/timeline.h"
#include "text/source.h"

namespace vramlint {

/// The findings of a JSON file that configures a library.
Analysis analyze_configuration(const std::shared_ptr<const text::Source>& source,
                               Workspace& workspace, const AnalyzeOptions& options);

/// Adds the findings of the configurations that a program of the timeline names in its calls:
/// `deepspeed.initialize(config="ds.json")`.
void add_named_configurations(const replay::Timeline& timeline, Workspace& workspace,
                              const AnalyzeOptions& options, Analysis& into);

/// The same for one that is named from the folder of a file, or from the project's.
void add_configuration(const std::string& written, const std::string& folder, Workspace& workspace,
                       const AnalyzeOptions& options, Analysis& into);

}  // namespace vramlint
