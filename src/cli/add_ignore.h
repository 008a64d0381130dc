// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/disk_files.h"
#include "diagnostics/diagnostic.h"
#include "knowledge/knowledge.h"

namespace vramlint::cli {

/// `--add-ignore`: writes a comment that silences it behind each finding. Files that were not
/// `linted` stay as they are.
Exit add_ignores(const std::vector<diagnostics::Diagnostic>& findings,
                 const std::set<std::string, std::less<>>& linted,
                 const knowledge::Knowledge& knowledge, DiskFiles& files, const Console& console);

}  // namespace vramlint::cli
