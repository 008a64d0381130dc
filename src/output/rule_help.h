// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "knowledge/rows.h"

namespace vramlint::output {

/// What a rule page says to a reader, as Markdown: its prose from the first heading on, without the
/// rule's fields and the cases.
std::string rule_help(const knowledge::RulePage& page);

}  // namespace vramlint::output
