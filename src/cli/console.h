// SPDX-License-Identifier: MIT
#pragma once

#include <iostream>
#include <string>
#include <string_view>

#include "support/result.h"

namespace vramlint::cli {

/// The exit statuses of every command.
enum class Exit : int { clean = 0, findings = 1, failed = 2 };

/// Where a command reads and writes. Results go to `out`; everything about the run itself to `err`.
struct Console {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool color = false;  ///< for `out`
  bool color_errors = false;
  bool shows_progress = false;  ///< `err` is a terminal that can take a line back
};

/// `error: path:3: message: advice`, the only place where an `Error` becomes a sentence.
void print_error(const Console& console, const Error& error);

/// `warning: message`.
void print_warning(const Console& console, std::string_view message);

}  // namespace vramlint::cli
