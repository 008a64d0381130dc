// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "support/result.h"

namespace vramlint::cli {

/// The words of the command line as the commands understand them. `@FILE` stands for the lines of
/// the file, each a word, where `check` is asked for; a file whose name begins so is written
/// `./@FILE`.
Result<std::vector<std::string>> words_of(int count, char** arguments);

}  // namespace vramlint::cli
