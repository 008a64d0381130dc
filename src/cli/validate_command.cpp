// SPDX-License-Identifier: MIT
// The options of `vramlint validate`; what they do is in `validate.cpp`.
#include <memory>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/validate.h"

namespace vramlint::cli {

namespace {

constexpr std::string_view tried_group = "What is tried";
constexpr std::string_view runs_group = "Runs";
constexpr std::string_view output_group = "Output";

struct Words {
  ValidateOptions options;
  std::vector<std::string> select;
  std::string torch;
  std::string level;
  std::string format = "text";
  int steps = 0;
  bool no_color = false;
};

CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& list,
                      const std::string& help) {
  return app.add_option(name, list, help)->allow_extra_args(false);
}

void add_tried(CLI::App& app, Words& words) {
  const std::string group{tried_group};
  ValidateOptions& options = words.options;
  app.add_option("script", options.script, "The script that is run")->option_text("SCRIPT");
  app.add_option("arguments", options.arguments, "Its arguments, after `--`")->option_text("ARGS");
  add_list(app, "--set", options.settings,
           "A variant with these variables, instead of fixes; repeatable")
      ->option_text("NAME=VALUE")
      ->group(group);
  app.add_option("--compare", options.compared, "Try two scripts against each other")
      ->expected(2)
      ->option_text("A B")
      ->group(group);
  add_list(app, "--expect", options.expected,
           "What --set or --compare has to show [less-device-memory]")
      ->option_text("CRITERION")
      ->group(group);
  add_list(app, "--select", words.select, "Only fixes of these rules")
      ->delimiter(',')
      ->option_text("RULE")
      ->group(group);
  add_list(app, "--ignore", options.selection.ignore, "Not of these")
      ->delimiter(',')
      ->option_text("RULE")
      ->group(group);
  app.add_option("--level", words.level, "Fixes of findings from: error, warning [default] or note")
      ->option_text("LEVEL")
      ->group(group);
  app.add_option("--torch", words.torch, "PyTorch by which the script is judged")
      ->option_text("VERSION")
      ->group(group);
  app.add_flag("--isolated", options.isolated, "Look for no configuration of vramlint")
      ->group(group);
}

void add_runs(CLI::App& app, Words& words) {
  const std::string group{runs_group};
  ValidateOptions& options = words.options;
  app.add_option("--runs", options.runs, "Runs of each variant [3]")
      ->check(CLI::Range(1, 1000))
      ->option_text("N")
      ->group(group);
  app.add_option("--timeout", options.seconds, "Limit for each run [600]")
      ->check(CLI::Range(0.1, 1e6))
      ->check([](const std::string& word) {
        return word.find_first_of("nN") == std::string::npos ? "" : word + " is no number";
      })
      ->option_text("SECONDS")
      ->group(group);
  app.add_option("--steps", words.steps, "Steps that the script makes, to give times by")
      ->check(CLI::Range(1, 1000000000))
      ->option_text("N")
      ->group(group);
  app.add_option("--interpreter", options.interpreter, "Python that runs it [python3]")
      ->option_text("PROGRAM")
      ->group(group);
  app.add_flag("--no-recorder", options.without_recorder, "Do not record driver calls")
      ->group(group);
}

void add_output(CLI::App& app, Words& words) {
  const std::string group{output_group};
  app.add_option("--output-format", words.format, "text [default] or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->option_text("FORMAT")
      ->group(group);
  app.add_option("--html", words.options.html, "Write a page with memory over time")
      ->option_text("FILE")
      ->group(group);
  app.add_option("--keep", words.options.keep, "Keep outputs, reports and traces in a new folder")
      ->option_text("FOLDER")
      ->group(group);
  app.add_flag("--no-color", words.no_color, "Never write in colour")->group(group);
}

std::optional<Error> understand(Words& words) {
  config::Settings& settings = words.options.selection;
  if (!words.select.empty()) settings.select = words.select;
  if (!words.torch.empty()) settings.torch = words.torch;
  if (words.steps > 0) words.options.steps = words.steps;
  words.options.json = words.format == "json";
  return read_level("--level", words.level, settings.level);
}

}  // namespace

void add_validate(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "validate", "Run a script without and with its fixes on this machine's GPU, and judge them");
  const std::shared_ptr<Words> words = std::make_shared<Words>();
  add_tried(*command, *words);
  add_runs(*command, *words);
  add_output(*command, *words);
  command->footer(
      "Exit status: 0 no promise refuted, 1 one refuted, 2 nothing could be run. 0 stands for\n"
      "inconclusive verdicts too: `--output-format json` tells them apart.");
  command->callback([words, &context] {
    Console console = context.console;
    if (words->no_color) console.color = console.color_errors = false;
    if (const std::optional<Error> error = understand(*words)) {
      print_error(console, *error);
      context.status = Exit::failed;
      return;
    }
    context.status = run_validate(words->options, context.knowledge, console);
  });
}

}  // namespace vramlint::cli
