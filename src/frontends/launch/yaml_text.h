// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "frontends/launch/mapped_text.h"
#include "syntax/yaml.h"

namespace vramlint::frontends {

/// The text of a scalar as YAML has it: lines without their indent, escapes undone. `bytes` are
/// those of the file.
MappedText scalar_text(const syntax::YamlNode& node, std::string_view bytes);

}  // namespace vramlint::frontends
