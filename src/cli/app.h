// SPDX-License-Identifier: MIT
#pragma once

namespace vramlint::cli {

/// The whole program: reads the command line, runs the command, gives the exit status.
int run_app(int count, char** arguments);

}  // namespace vramlint::cli
