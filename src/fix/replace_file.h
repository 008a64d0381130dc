// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vramlint::fix {

/// Why the file can't be given another text, as far as that can be told beforehand: it is
/// read-only, or not there. Nothing when it can.
std::optional<std::string> why_not_writable(const std::string& path);

/// Gives a file another text, all of it or none: a file beside it is written and takes its place,
/// with the same mode and owner. Behind a link it is the file that changes, not the link. A file
/// whose bytes are no longer `expected` is left alone. What went wrong, if anything did.
std::optional<std::string> replace_file(const std::string& path, std::string_view expected,
                                        std::string_view text);

}  // namespace vramlint::fix
