// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "model/launch.h"
#include "text/source.h"

namespace vramlint::frontends {

/// The steps of a file that launches programs, whatever its language; of a notebook what it hands
/// to shells.
model::Launch read_launch(const std::shared_ptr<const text::Source>& source);

/// The steps of a file that a shell reads as its own lines, whatever the file is for.
std::vector<model::LaunchStep> read_sourced(const text::Source& source);

}  // namespace vramlint::frontends
