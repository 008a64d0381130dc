// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "support/result.h"

namespace vramlint::cli {

/// The words of the command line as the commands understand them. `@FILE` stands for the lines of
/// the file, each a word, where `check` is asked for; a file whose name begins so is written
/// `./@FILE`.
Result<std::vector<std::string>> words_of(int count, char** arguments);

/// What an option such as `--level` says; `level` stays as it is when nothing was said.
std::optional<Error> read_level(const std::string& option, const std::string& word,
                                std::optional<diagnostics::Severity>& level);

}  // namespace vramlint::cli
