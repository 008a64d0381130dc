// SPDX-License-Identifier: MIT
// The options of `vramlint conf`; what they do is in `conf.cpp`.
#include <memory>

#include "cli/command.h"
#include "cli/conf.h"

namespace vramlint::cli {

namespace {

struct Words {
  ConfOptions options;
  std::string format = "text";
  bool no_color = false;
};

}  // namespace

void add_conf(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("conf", "Read an allocator string as PyTorch would");
  const std::shared_ptr<Words> words = std::make_shared<Words>();
  ConfOptions& options = words->options;
  CLI::Option* string =
      command->add_option("string", options.string, "As in PYTORCH_CUDA_ALLOC_CONF=STRING")
          ->option_text("STRING");
  command->add_flag("--batch", options.batch, "Read one JSON string a line from standard input");
  command->add_option("--torch", options.torch, "PyTorch that will read it: `2.11`, `>=2.4,<2.10`")
      ->option_text("VERSION");
  command->add_option("--variable", options.variable, "Its variable [PYTORCH_CUDA_ALLOC_CONF]")
      ->option_text("NAME");
  command->add_option("--output-format", words->format, "text [default] or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->option_text("FORMAT");
  command->add_flag("--no-color", words->no_color, "Never write in colour");
  command->callback([words, string, &context] {
    ConfOptions& options = words->options;
    const Console& console = context.console;
    if (!options.batch && string->count() == 0) {
      print_error(console, {"", 0, "no allocator string is given", "see `vramlint conf --help`"});
      context.status = Exit::failed;
      return;
    }
    options.json = words->format == "json";
    options.color = console.color && !words->no_color;
    context.status = static_cast<Exit>(
        run_conf(options, context.knowledge, console.in, console.out, console.err));
  });
}

}  // namespace vramlint::cli
