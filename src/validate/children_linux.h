// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <vector>

namespace vramlint::validate {

/// The children of this process that have not ended: what it started, and where it is a subreaper
/// orphans below that, which come to it.
std::vector<pid_t> own_children();

/// Kills children, and what comes to this process when they have ended, until there are none but
/// `spared`, or five seconds are over.
void end_children_but(const std::vector<pid_t>& spared);

}  // namespace vramlint::validate
