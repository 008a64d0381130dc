// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace vramlint::fix {

/// How many places of a Python text the parser can't make sense of. A block without a statement
/// counts too: the grammar lets it pass, Python does not.
std::size_t syntax_faults(std::string_view bytes);

}  // namespace vramlint::fix
