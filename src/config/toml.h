// SPDX-License-Identifier: MIT
#pragma once

#include <toml++/toml.h>
#include <string>

#include "support/result.h"

namespace vramlint::config {

/// Parses TOML of any origin; the error has a place but no path. Refused is what nobody writes and
/// toml++ has no stack for: it takes tables apart by recursion, so a key `a.a.a…` must end soon.
Result<toml::table> parse_toml(const std::string& text);

}  // namespace vramlint::config
