// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace vramlint::fix {

/// What changes between two texts as a unified diff that `git apply` and `patch -p1` take; empty
/// when they are the same. Lines end at `\n`.
std::string unified_diff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace vramlint::fix
