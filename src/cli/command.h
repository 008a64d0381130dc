// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include "cli/console.h"
#include "knowledge/knowledge.h"

namespace vramlint::cli {

/// What the program hands to a command.
struct Context {
  const knowledge::Knowledge& knowledge;
  Console console;
  bool no_color = false;
  Exit status = Exit::clean;  ///< set by the command that ran
};

// One function a command: it adds the command with its options, and a callback that runs it. The
// callback is called while the command line is read, once all of it has been understood.

void add_check(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_conf(CLI::App& app, Context& context);
void add_rules(CLI::App& app, Context& context);
void add_validate(CLI::App& app, Context& context);
void add_doctor(CLI::App& app, Context& context);
void add_server(CLI::App& app, Context& context);

}  // namespace vramlint::cli
