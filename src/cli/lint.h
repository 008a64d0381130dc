// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "cli/disk_files.h"
#include "cli/progress.h"
#include "knowledge/knowledge.h"
#include "lint/entry.h"

namespace vramlint::cli {

/// Runs the jobs on `workers` threads, each with a workspace of its own. The answers are in the
/// order of the jobs; each depends on its job alone, so that their number of threads can't be seen
/// in them. `progress` is told of each that is done.
std::vector<lint::Linted> lint_all(const std::vector<lint::Job>& jobs,
                                   const knowledge::Knowledge& knowledge, DiskFiles& files,
                                   unsigned workers, Progress* progress = nullptr);

}  // namespace vramlint::cli
