// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace vramlint::text {

/// What is larger holds data: no person writes as much configuration into one file.
inline constexpr size_t configuration_limit = 64 << 10;

/// Whether a JSON file configures DeepSpeed, told from its bytes alone: by the members that only
/// such a configuration has.
bool configures_deepspeed(std::string_view json);

}  // namespace vramlint::text
