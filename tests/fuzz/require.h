// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>

namespace vramlint::fuzz {

/// What a target promises, in every build type.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace vramlint::fuzz
