// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace vramlint::fix {

/// How many places of a Python text the parser can't make sense of. A block without a statement
/// counts too: the grammar lets it pass, Python does not.
std::size_t syntax_faults(std::string_view bytes);

/// Whether two YAML texts hold the same sequences and mappings with as many values: a fix changes
/// values and names, not what belongs to what.
bool has_same_shape(std::string_view before, std::string_view after);

}  // namespace vramlint::fix
