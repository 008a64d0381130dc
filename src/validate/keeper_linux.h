// SPDX-License-Identifier: MIT
#pragma once

#include "validate/process.h"

namespace vramlint::validate {

/// Runs in a forked process and never returns: starts the program, waits for it, ends what is left
/// of it, writes an `Ended` to `answer`. `orders` is a pipe from the runner: a byte in it asks for
/// the program's end, and when it closes without one the runner is gone, and so is the program a
/// moment later. That is why there is a process between the two at all: a runner that was killed
/// could not clean up.
[[noreturn]] void keep(const Command& command, int orders, int answer);

}  // namespace vramlint::validate
