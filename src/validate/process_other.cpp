// SPDX-License-Identifier: MIT
#ifndef __linux__

#include "validate/process.h"

namespace vramlint::validate {

bool can_supervise() { return false; }

Ended run_supervised(const Command& /*command*/, const std::function<void()>& /*every_tick*/,
                     const std::function<bool()>& /*is_interrupted*/) {
  return {};
}

}  // namespace vramlint::validate

#endif
