// SPDX-License-Identifier: MIT
// Reads the command line with CLI11 and makes its complaints ours: one line, exit status 2.
#include "cli/app.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/command.h"
#include "support/nearest_name.h"
#include "support/system.h"
#include "vramlint_version.h"

namespace vramlint::cli {

namespace {

bool is_dumb_terminal() {
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) == "dumb";
}

bool wants_color(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool refused = no_color != nullptr && *no_color != '\0';
  return !refused && !is_dumb_terminal() && is_terminal(descriptor);
}

const CLI::App& running_command(const CLI::App& app) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

Error unexpected(const CLI::App& app, const CLI::ExtrasError& problem) {
  Error error;
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) {
    error.message = problem.what();
    return error;
  }
  const CLI::App& command = running_command(app);
  const std::string word = words.front().substr(0, words.front().find('='));
  std::vector<std::string> known;
  if (word.starts_with('-')) {
    error.message = "unknown option `" + word + "`";
    known = option_names(command);
  } else if (&command == &app) {
    error.message = "unknown command `" + word + "`";
    for (const CLI::App* each : app.get_subcommands({})) known.push_back(each->get_name());
  } else {
    error.message = "unexpected argument `" + word + "`";
  }
  error.advice = did_you_mean(word, std::vector<std::string_view>(known.begin(), known.end()));
  const std::string command_name = &command == &app ? "" : " " + command.get_name();
  if (error.advice.empty()) error.advice = "see `vramlint" + command_name + " --help`";
  return error;
}

/// CLI11 leaves two blank lines between the groups of options.
std::string help_text(const CLI::App& app) {
  std::string text = app.help();
  for (std::size_t at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n")) {
    text.erase(at, 1);
  }
  return text;
}

Exit fail(const CLI::App& app, const CLI::ParseError& problem, const Console& console) {
  if (const auto* extras = dynamic_cast<const CLI::ExtrasError*>(&problem)) {
    print_error(console, unexpected(app, *extras));
    return Exit::failed;
  }
  std::string message = problem.what();
  for (char& byte : message) byte = byte == '\n' ? ' ' : byte;
  print_error(console, {"", 0, std::move(message), ""});
  return Exit::failed;
}

Exit run(int count, char** arguments) {
  Context context{knowledge::Knowledge::builtin(), {std::cin, std::cout, std::cerr}};
  context.console.color = wants_color(1);
  context.console.color_errors = wants_color(2);
  context.console.shows_progress = !is_dumb_terminal() && is_terminal(2);
  CLI::App app(
      "Finds PyTorch memory settings that come too late, are wrong, or cost more than they give",
      "vramlint");
  app.set_version_flag("--version", "vramlint " + std::string(version));
  app.get_formatter()->column_width(34);
  app.option_defaults()->always_capture_default(false);
  add_check(app, context);
  add_explain(app, context);
  add_conf(app, context);
  add_rules(app, context);
  add_validate(app, context);
  add_doctor(app, context);
  add_server(app, context);
  Result<std::vector<std::string>> words = words_of(count, arguments);
  if (!words) {
    print_error(context.console, words.error());
    return Exit::failed;
  }
  try {
    std::ranges::reverse(words.value());  // CLI11 takes them from the back
    app.parse(std::move(words).value());
  } catch (const CLI::CallForHelp&) {
    std::cout << help_text(app);
    return Exit::clean;
  } catch (const CLI::CallForVersion& version_text) {
    std::cout << version_text.what() << "\n";
    return Exit::clean;
  } catch (const CLI::ParseError& problem) {
    return fail(app, problem, context.console);
  }
  if (app.get_subcommands().empty()) {
    std::cerr << help_text(app);
    return Exit::failed;
  }
  return context.status;
}

}  // namespace

int run_app(int count, char** arguments) {
  prepare_streams();
  std::ios::sync_with_stdio(false);
  const Exit status = run(count, arguments);
  errno = 0;
  std::cout.flush();
  if (std::cout) return static_cast<int>(status);
  const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  print_error({std::cin, std::cout, std::cerr},
              {"", 0, "standard output cannot be written" + reason, ""});
  return static_cast<int>(Exit::failed);
}

}  // namespace vramlint::cli
