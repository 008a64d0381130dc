// SPDX-License-Identifier: MIT
// What a Python is asked before anything of the program runs.
#pragma once

#include <string>
#include <vector>

#include "support/result.h"

namespace vramlint::validate {

/// A Python, by its own account.
struct Interpreter {
  std::string python;  ///< its version
  std::string torch;   ///< the version of PyTorch, which is not imported; empty where there is none
  std::string cupti;   ///< path of the library, where its packages bring one
};

/// How long a Python may take for a word about itself. It imports next to nothing.
inline constexpr int interpreter_seconds = 30;

/// Asks it, and has it compile the scripts. The error is about a script, and names it, where that
/// is no Python to it; else it is about the interpreter.
Result<Interpreter> ask_interpreter(const std::string& interpreter,
                                    const std::vector<std::string>& scripts);

}  // namespace vramlint::validate
