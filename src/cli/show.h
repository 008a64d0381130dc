// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "config/projects.h"
#include "output/report.h"

namespace vramlint::cli {

/// What `check` shows instead of findings.
Exit show_files(const std::vector<std::string>& files, const Console& console);
Exit show_settings(const config::Project& project, const Console& console);

/// How many findings each rule has, the most frequent first.
void show_statistics(const output::Report& report, bool as_json, const Console& console);

output::TargetText target_text(const knowledge::Target& target);

}  // namespace vramlint::cli
