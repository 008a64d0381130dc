// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "text/source.h"

namespace vramlint::text {

/// The kind of a file that launches programs, by its name without folders and, where the name says
/// nothing, by its `#!` line; `other` for all else.
Language launch_language_of(std::string_view name, std::string_view bytes);

}  // namespace vramlint::text
