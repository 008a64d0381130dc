// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace vramlint::rules {

/// The variable that a name was probably meant to be: one letter or two off, the same words in
/// another order, or with a word spelt out (`ALLOCATOR`). Empty for a name that a row has, and for
/// one that is near to none.
std::string_view variable_meant_by(std::string_view name);

/// What names of variables begin with that can be misspelt: `PYTORCH_`, `CUDA_` …
std::span<const std::string_view> variable_prefixes();

}  // namespace vramlint::rules
