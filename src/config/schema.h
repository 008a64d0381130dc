// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "knowledge/knowledge.h"

namespace vramlint::config {

/// The JSON schema of `vramlint.toml` and of `[tool.vramlint]`, for editors: made from the table
/// that the keys are read by.
std::string settings_schema(const knowledge::Knowledge& knowledge);

}  // namespace vramlint::config
