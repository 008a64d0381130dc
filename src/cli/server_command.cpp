// SPDX-License-Identifier: MIT
// `vramlint server`: the language server on standard input and output.
#include "cli/command.h"
#include "lsp/session.h"

namespace vramlint::cli {

void add_server(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("server", "Serve an editor over standard input and output");
  // Clients give it whether or not there is another way to talk.
  command->add_flag_callback(
      "--stdio", [] {}, "What is always done");
  command->callback([&context] { lsp::serve(context.knowledge); });
}

}  // namespace vramlint::cli
