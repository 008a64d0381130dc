// SPDX-License-Identifier: MIT
// The options of `vramlint check`; what they do is in `check.cpp`.
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/check.h"
#include "cli/command.h"
#include "config/schema.h"
#include "output/format.h"
#include "support/nearest_name.h"

namespace vramlint::cli {

namespace {

constexpr std::string_view input_group = "Files";
constexpr std::string_view target_group = "Target";
constexpr std::string_view rules_group = "Rules";
constexpr std::string_view fix_group = "Fixes";
constexpr std::string_view known_group = "Known findings";
constexpr std::string_view output_group = "Output";
constexpr std::string_view config_group = "Configuration";

/// The options before their words have been understood.
struct Words {
  CheckOptions options;
  std::string torch;
  std::string python;
  std::string platform;
  std::vector<std::string> select;
  std::string level;
  std::string fail_level;
  bool force_exclude = false;
  bool strict_baseline = false;
  bool print_schema = false;
  std::string write_baseline;  ///< `true` without a file
};

/// A list that is given with commas or by repeating the option, and never takes what follows.
CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& list,
                      const std::string& help) {
  return app.add_option(name, list, help)->allow_extra_args(false);
}

void add_input(CLI::App& app, Words& words) {
  CheckOptions& options = words.options;
  const std::string group{input_group};
  app.add_option("paths", options.paths, "Files and folders [.]; `-` is standard input")
      ->option_text("PATH");
  app.add_option("--stdin-filename", options.stdin_filename, "The name of standard input")
      ->option_text("FILE")
      ->group(group);
  add_list(app, "--exclude", words.options.settings.exclude, "Leave out files and folders")
      ->delimiter(',')
      ->option_text("GLOB")
      ->group(group);
  app.add_flag("--force-exclude", words.force_exclude, "Leave out files named outright as well")
      ->group(group);
  app.add_option("-j,--jobs", options.jobs, "Threads [one a processor]")
      ->check(CLI::Range(1u, 1024u))
      ->option_text("N")
      ->group(group);
}

void add_target(CLI::App& app, Words& words) {
  const std::string group{target_group};
  app.add_option("--torch", words.torch, "PyTorch that will run: `2.11`, `>=2.4,<2.10`")
      ->option_text("VERSION")
      ->group(group);
  app.add_option("--python", words.python, "Python that will run: `3.12`, `>=3.10`")
      ->option_text("VERSION")
      ->group(group);
  app.add_option("--platform", words.platform, "linux, windows, macos, wsl, jetson or rocm")
      ->option_text("NAME")
      ->group(group);
}

void add_rule_selection(CLI::App& app, Words& words) {
  const std::string group{rules_group};
  config::Settings& settings = words.options.settings;
  add_list(app, "--select", words.select, "Only these: codes or their beginnings, names, families")
      ->delimiter(',')
      ->option_text("RULE")
      ->group(group);
  add_list(app, "--extend-select", settings.extend_select, "These as well")
      ->delimiter(',')
      ->option_text("RULE")
      ->group(group);
  add_list(app, "--ignore", settings.ignore, "Not these")
      ->delimiter(',')
      ->option_text("RULE")
      ->group(group);
  app.add_option("--level", words.level, "What is shown: error, warning [default] or note")
      ->option_text("LEVEL")
      ->group(group);
  app.add_option("--fail-level", words.fail_level, "What makes exit status 1 [what is shown]")
      ->option_text("LEVEL")
      ->group(group);
  app.add_flag("--exit-zero", words.options.exit_zero, "Exit status 0 whatever is found")
      ->group(group);
}

void add_known(CLI::App& app, Words& words) {
  const std::string group{known_group};
  CheckOptions& options = words.options;
  app.add_option("--baseline", options.settings.baseline, "Leave out the findings that it lists")
      ->option_text("FILE")
      ->group(group);
  // A flag, so that it never takes the path that follows.
  app.add_flag("--write-baseline", words.write_baseline,
               "Make what is found the baseline; `=FILE` another file")
      ->group(group);
  app.add_flag("--prune-baseline", options.baseline.prune,
               "Take out of the baseline what is found no more")
      ->group(group);
  app.add_flag("--strict-baseline", words.strict_baseline,
               "Fail when the baseline lists what is found no more")
      ->group(group);
  app.add_option("--diff-base", options.diff_base, "Only lines changed since this git revision")
      ->option_text("REV")
      ->group(group);
  app.add_flag("--add-ignore", options.add_ignore, "Write a comment that silences each finding")
      ->group(group);
}

void add_fixes(CLI::App& app, Words& words) {
  const std::string group{fix_group};
  FixChoice& fixes = words.options.fixes;
  app.add_flag("--fix", fixes.fix, "Make the safe fixes")->group(group);
  app.add_flag("--unsafe-fixes", fixes.with_unsafe, "Those that are only probably meant as well")
      ->group(group);
  app.add_flag("--diff", fixes.diff, "Show what fixes would change, and change nothing")
      ->group(group);
  app.add_flag("--show-fixes", fixes.show, "List what was fixed")->group(group);
}

void add_output(CLI::App& app, Words& words) {
  const std::string group{output_group};
  CheckOptions& options = words.options;
  std::string names;
  for (const output::Format& format : output::all_formats()) {
    names += (names.empty() ? "" : ", ") + std::string(format.name);
  }
  app.add_option("--output-format", options.settings.output_format, "One of " + names + " [full]")
      ->option_text("FORMAT")
      ->group(group);
  add_list(app, "-o,--output-file", options.output, "Write to a file; as FORMAT=FILE besides")
      ->option_text("[FORMAT=]FILE")
      ->group(group);
  app.add_flag("--statistics", options.statistics, "How often each rule fires")->group(group);
  app.add_flag("--show-files", options.show_files, "The files that would be checked")->group(group);
  app.add_flag("--show-settings", options.show_settings, "What the files are judged by")
      ->group(group);
  app.add_option("--print", options.print, "A stage of the analysis: tree, events or facts")
      ->check(CLI::IsMember({"tree", "events", "facts"}))
      ->option_text("STAGE")
      ->group(group);
}

void add_configuration(CLI::App& app, Words& words) {
  const std::string group{config_group};
  add_list(app, "--config", words.options.config, "A configuration file, or one KEY=VALUE")
      ->option_text("FILE|KEY=VALUE")
      ->group(group);
  app.add_flag("--isolated", words.options.isolated, "Look for no configuration of vramlint")
      ->group(group);
  app.add_flag("--print-schema", words.print_schema, "Print the JSON schema of the configuration")
      ->group(group);
}

Error unknown_platform(const std::string& word) {
  Error error{"", 0, "no platform is called `" + word + "`", ""};
  error.advice = did_you_mean(word, knowledge::all_platform_names());
  if (!error.advice.empty()) return error;
  error.advice = "there are";
  for (const std::string_view name : knowledge::all_platform_names()) {
    error.advice += (error.advice.ends_with("are") ? " " : ", ") + std::string(name);
  }
  return error;
}

/// What can't be asked for at once.
std::optional<Error> find_conflict(const CheckOptions& options) {
  const auto refuse = [](const char* left, const char* right) {
    return Error{"", 0, std::string(left) + " and " + right + " can't be used together", ""};
  };
  if (options.baseline.write && options.diff_base) {
    return refuse("`--write-baseline`", "`--diff-base`");
  }
  if (options.baseline.write && options.baseline.prune) {
    return refuse("`--write-baseline`", "`--prune-baseline`");
  }
  if (options.add_ignore && options.baseline.is_asked()) {
    return refuse("`--add-ignore`", "writing a baseline");
  }
  if (options.add_ignore && options.fixes.is_asked()) return refuse("`--add-ignore`", "fixes");
  if (options.baseline.is_asked() && options.fixes.diff) {
    return refuse("`--diff`", "writing a baseline");
  }
  return std::nullopt;
}

/// Turns the words into settings.
std::optional<Error> understand(Words& words) {
  config::Settings& settings = words.options.settings;
  if (!words.torch.empty()) settings.torch = words.torch;
  if (!words.python.empty()) settings.python = words.python;
  if (!words.select.empty()) settings.select = words.select;
  if (!words.platform.empty()) {
    settings.platform = knowledge::parse_platform(words.platform);
    if (!settings.platform) return unknown_platform(words.platform);
  }
  if (std::optional<Error> error = read_level("--level", words.level, settings.level)) return error;
  if (words.force_exclude) settings.force_exclude = true;
  if (words.strict_baseline) settings.strict_baseline = true;
  BaselineChoice& baseline = words.options.baseline;
  baseline.write = !words.write_baseline.empty();
  if (words.write_baseline != "true") baseline.write_to = words.write_baseline;
  if (std::optional<Error> error = find_conflict(words.options)) return error;
  return read_level("--fail-level", words.fail_level, settings.fail_level);
}

}  // namespace

void add_check(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("check", "Lint files and folders");
  const std::shared_ptr<Words> words = std::make_shared<Words>();
  add_input(*command, *words);
  add_target(*command, *words);
  add_rule_selection(*command, *words);
  add_fixes(*command, *words);
  add_known(*command, *words);
  add_output(*command, *words);
  add_configuration(*command, *words);
  command->add_flag("--no-color", context.no_color, "Never write in colour")
      ->group(std::string(output_group));
  command->callback([words, &context] {
    if (context.no_color) context.console.color = context.console.color_errors = false;
    if (words->print_schema) {
      context.console.out << config::settings_schema(context.knowledge);
      return;
    }
    if (const std::optional<Error> error = understand(*words)) {
      print_error(context.console, *error);
      context.status = Exit::failed;
      return;
    }
    context.status = run_check(words->options, context.knowledge, context.console);
  });
}

}  // namespace vramlint::cli
