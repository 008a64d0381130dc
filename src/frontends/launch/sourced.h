// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "model/launch.h"

namespace vramlint::frontends {

/// The file of the project that a shell script names; null when there is none.
using FindFile = std::function<std::shared_ptr<const text::Source>(const std::string& written)>;

/// Puts the steps of the shell scripts that a launch file sources, `source env.sh` or `. ./env.sh`,
/// behind the commands that do so, and a misstep behind those that run a script which only exports.
/// Each is read once.
void add_sourced(model::Launch& launch, const FindFile& find);

}  // namespace vramlint::frontends
