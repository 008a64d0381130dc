// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace vramlint::config {

/// Whether a path, relative to the folder of the pattern and with `/`, or one of the folders that
/// it lies in matches as `.gitignore` would have it: a pattern without `/` matches a name anywhere,
/// one with `/` the path from its beginning; `*` and `?` stay inside a name, `**` spans folders,
/// `[a-z]` is a set. Time is the product of both lengths at worst.
bool glob_matches(std::string_view pattern, std::string_view path);

}  // namespace vramlint::config
