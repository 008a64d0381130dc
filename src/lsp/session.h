// SPDX-License-Identifier: MIT
#pragma once

#include "knowledge/knowledge.h"

namespace vramlint::lsp {

/// Serves the client on standard input and output until it says `exit`, closes its end, or its
/// process is gone, and ends the program then: with status 0 after `shutdown`, else with 1.
[[noreturn]] void serve(const knowledge::Knowledge& knowledge);

}  // namespace vramlint::lsp
