// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vramlint::lsp {

/// The absolute path, with `/`, that a `file:` URI names; nothing for another kind of URI or one
/// that is broken. `file:///c%3A/a.py` is `c:/a.py`.
std::optional<std::string> path_of_uri(std::string_view uri);

/// The `file:` URI of an absolute path.
std::string uri_of_path(std::string_view path);

}  // namespace vramlint::lsp
