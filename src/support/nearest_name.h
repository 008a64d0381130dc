// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vramlint {

/// The name that a misspelt word was probably meant to be; empty when none is near enough. Of
/// equally near names the first wins. Case counts for little: `vrl101` is near `VRL101`.
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names);

/// ``did you mean `NAME`?`` or an empty string.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> names);

}  // namespace vramlint
