// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace vramlint {

/// Letters to insert, delete, replace or swap with their neighbour; case counts for nothing. Time
/// is the product of both lengths.
std::size_t edit_distance(std::string_view left, std::string_view right);

/// The name that a misspelt word was probably meant to be; empty when none is near enough. Of
/// equally near names the first wins. Case counts for little: `vrl101` is near `VRL101`.
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names);

/// ``did you mean `NAME`?`` or an empty string.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> names);

}  // namespace vramlint
