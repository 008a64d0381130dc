// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace vramlint::rules {

/// What is asked for: by page, in the order of the tables, the least severity that is worth
/// looking for; nothing when the page is off. An empty list asks for everything.
struct Interest {
  static constexpr uint8_t nothing = 0xff;
  std::vector<uint8_t> least;

  bool in(size_t page, diagnostics::Severity most) const {
    return least.empty() || (least[page] != nothing && static_cast<uint8_t>(most) >= least[page]);
  }
};

}  // namespace vramlint::rules
