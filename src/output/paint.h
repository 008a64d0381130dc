// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "output/format.h"

namespace vramlint::output {

enum class Paint { bold, red, yellow, cyan, blue };

Paint paint_of(diagnostics::Severity severity);

/// The text in bold colour, or as it is when the style has none.
std::string painted(std::string_view text, Paint paint, Style style);

}  // namespace vramlint::output
