// SPDX-License-Identifier: MIT
#pragma once

#include "validate/process.h"

namespace vramlint::validate {

/// What the runner tells its keeper.
enum class Order : char { end = 'e', kill = 'k' };

/// Runs in a forked process and never returns: starts the program, waits for it, ends what is left
/// of it, writes an `Ended` to `answer`. `orders` is a pipe from the runner: when it closes without
/// an order the runner is gone, and so is the program a moment later. That is why there is a
/// process between the two at all: a runner that was killed could not clean up.
[[noreturn]] void keep(const Command& command, int orders, int answer);

}  // namespace vramlint::validate
