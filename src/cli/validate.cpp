// SPDX-License-Identifier: MIT
#include "cli/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "support/nearest_name.h"
#include "support/system.h"
#include "validate/experiment.h"
#include "validate/interpreter.h"
#include "validate/report.h"
#include "validate/units.h"

namespace vramlint::cli {

namespace {

using validate::Plan;
using validate::Promise;
using validate::Variant;

/// What an experiment of the user's own is judged by when it says nothing else.
constexpr std::string_view usual_criterion = "less-device-memory";

constexpr const char* several_in_one =
    "each --set is a variant; several variables in one stand between quotes: `--set \"A=1 B=2\"`";

bool is_name(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0) return false;
  return std::ranges::all_of(text, [](char byte) {
    return byte == '_' || std::isalnum(static_cast<unsigned char>(byte)) != 0;
  });
}

/// `A=1 B=2`. A piece that sets nothing belongs to the value before it.
Result<std::vector<std::pair<std::string, std::string>>> read_settings(const std::string& words) {
  std::vector<std::pair<std::string, std::string>> settings;
  std::istringstream pieces(words);
  for (std::string piece; std::getline(pieces, piece, ' ');) {
    const std::size_t sign = piece.find('=');
    if (sign != std::string::npos && is_name(piece.substr(0, sign))) {
      settings.emplace_back(piece.substr(0, sign), piece.substr(sign + 1));
    } else if (!settings.empty()) {
      settings.back().second += " " + piece;
    } else {
      return Error{"", 0, "--set takes NAME=VALUE, not `" + words + "`", several_in_one};
    }
  }
  if (settings.empty()) return Error{"", 0, "--set takes NAME=VALUE", several_in_one};
  return settings;
}

class Validation {
 public:
  Validation(const ValidateOptions& options, const knowledge::Knowledge& knowledge,
             const Console& console)
      : options_(options), knowledge_(knowledge), console_(console) {}

  Exit run() {
    if (std::optional<Error> error = make_plan()) return fail(*error);
    if (plan_.variants.size() < 2) return nothing_to_do();
    // What is run is said before it is, and apart from the results.
    console_.err << validate::announcement(plan_);
    console_.err << left_out_text("  ") << std::endl;
    const validate::Observer observer{
        [this] { console_.err << "run for warm caches" << std::flush; },
        [this](std::size_t number, std::size_t count, const Variant& variant) {
          console_.err << fmt::format("run {} of {}: {}", number, count,
                                      validate::readable(variant.title))
                       << std::flush;
        },
        [this](const validate::Run& run) {
          console_.err << fmt::format(": {}, {:.1f} s\n", validate::ending_text(run.ended),
                                      run.ended.seconds())
                       << std::flush;
        }};
    Result<validate::Results> results = validate::run_experiment(plan_, knowledge_, observer);
    if (!results) return fail(results.error());
    return report(results.value());
  }

 private:
  Exit fail(const Error& error) {
    print_error(console_, error);
    return Exit::failed;
  }

  std::string left_out_text(std::string_view indent) const {
    std::string text;
    for (const std::string& each : left_out_) {
      text += fmt::format("{}not confirmed by a run: {}\n", indent, each);
    }
    return text;
  }

  Exit nothing_to_do() {
    // What is no Python has no fixes, which would not be said of it otherwise.
    const InterruptWatch watch;
    const Result<validate::Interpreter> asked =
        validate::ask_interpreter(options_.interpreter, {options_.script});
    const bool is_told = !asked && asked.error().path == options_.script;
    if (is_told || (!asked && InterruptWatch::was_interrupted())) return fail(asked.error());
    console_.err
        << left_out_text("")
        << "Nothing to validate: `vramlint check` has no fix for this script that a run "
           "could confirm; `--set NAME=VALUE` or `--compare` tries something of your own\n";
    return Exit::clean;
  }

  std::optional<Error> make_plan() {
    plan_.python = options_.interpreter;
    plan_.runs = options_.runs;
    plan_.seconds = options_.seconds;
    plan_.steps = options_.steps;
    plan_.keep = options_.keep;
    if (!options_.without_recorder) plan_.recorder = validate::find_recorder();
    plan_.arguments = options_.arguments;
    if (std::optional<Error> error = find_conflict()) return error;
    if (std::optional<Error> error = find_page_trouble()) return error;
    if (std::optional<Error> error = read_expectations()) return error;
    if (!options_.compared.empty()) return compare_scripts();
    if (options_.script.empty()) {
      return Error{"", 0, "no script is given", "see `vramlint validate --help`"};
    }
    Result<std::string> script = found(options_.script);
    if (!script) return script.error();
    add(as_it_is(script.value()));
    if (!options_.settings.empty()) return try_settings(script.value());
    if (!promises_.empty()) {
      return Error{"", 0, "--expect goes with --set or --compare",
                   "what a fix has to show stands in the page of its rule"};
    }
    return try_fixes(script.value());
  }

  /// Options that would do nothing together.
  std::optional<Error> find_conflict() const {
    if (!options_.compared.empty() && !options_.settings.empty()) {
      return Error{"", 0, "--set and --compare can't be used together", ""};
    }
    if (options_.compared.empty() && options_.settings.empty()) return std::nullopt;
    const config::Settings& chosen = options_.selection;
    const char* idle = chosen.select            ? "--select"
                       : !chosen.ignore.empty() ? "--ignore"
                       : chosen.level           ? "--level"
                       : chosen.torch           ? "--torch"
                                                : nullptr;
    if (idle == nullptr) return std::nullopt;
    return Error{"", 0, std::string(idle) + " is about fixes, which --set and --compare don't try",
                 ""};
  }

  /// What would only be seen when all has been run.
  std::optional<Error> find_page_trouble() const {
    if (options_.html.empty()) return std::nullopt;
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::absolute(options_.html).parent_path();
    if (!std::filesystem::is_directory(folder, failed)) {
      return Error{options_.html, 0, "there is no such folder", "name another file with `--html`"};
    }
    std::vector<std::string> scripts = options_.compared;
    scripts.push_back(options_.script);
    for (const std::string& script : scripts) {
      if (script.empty() || !std::filesystem::equivalent(script, options_.html, failed)) continue;
      return Error{options_.html, 0, "the page would take the script's place",
                   "name another file with `--html`"};
    }
    return std::nullopt;
  }

  static Result<std::string> found(const std::string& script) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(script, failed)) {
      return Error{script, 0, "there is no such file", ""};
    }
    if (script.ends_with(".ipynb")) {
      return Error{script, 0, "notebooks are not run, only scripts",
                   "`jupyter nbconvert --to script` makes one of it"};
    }
    return script;  // `link/../a.py` is what the system makes of it
  }

  static Variant as_it_is(const std::string& script) {
    Variant variant;
    variant.title = "as it is";
    variant.script = script;
    return variant;
  }

  static bool sets(const Variant& variant, std::string_view name) {
    return std::ranges::any_of(variant.settings,
                               [&](const auto& setting) { return setting.first == name; });
  }

  void add(Variant variant) { plan_.variants.push_back(std::move(variant)); }

  std::optional<Error> read_expectations() {
    std::vector<std::string_view> names;
    for (const knowledge::CriterionRow& row : knowledge_.criteria()) names.push_back(row.name);
    for (const std::string& name : options_.expected) {
      const knowledge::CriterionRow* row = knowledge_.criterion(name);
      if (row == nullptr) {
        Error error{"", 0, "no criterion is called `" + name + "`", did_you_mean(name, names)};
        if (!error.advice.empty()) return error;
        error.advice = "there are";
        for (const std::string_view each : names) error.advice += " " + std::string(each);
        return error;
      }
      promises_.push_back({row, {}});
    }
    return std::nullopt;
  }

  std::vector<Promise> expectations() const {
    if (!promises_.empty()) return promises_;
    return {{knowledge_.criterion(usual_criterion), {}}};
  }

  std::optional<Error> try_settings(const std::string& script) {
    for (const std::string& words : options_.settings) {
      auto settings = read_settings(words);
      if (!settings) return settings.error();
      Variant variant = as_it_is(script);
      variant.title = words;
      variant.settings = std::move(settings).value();
      if (!plan_.recorder.empty() && sets(variant, validate::injection_variable)) {
        return Error{"", 0, "the recorder has the place that `CUDA_INJECTION64_PATH` names",
                     "leave it out with `--no-recorder`"};
      }
      variant.promises = expectations();
      add(std::move(variant));
    }
    return std::nullopt;
  }

  std::optional<Error> compare_scripts() {
    if (!options_.script.empty()) {
      plan_.arguments.insert(plan_.arguments.begin(), options_.script);  // what follows `--`
    }
    for (const std::string& name : options_.compared) {
      Result<std::string> script = found(name);
      if (!script) return script.error();
      Variant variant = as_it_is(script.value());
      variant.title = name;
      if (!plan_.variants.empty()) variant.promises = expectations();
      add(std::move(variant));
    }
    return std::nullopt;
  }

  std::optional<Error> try_fixes(const std::string& script) {
    Result<std::vector<Variant>> variants = variants_of_fixes(options_, knowledge_, left_out_);
    if (!variants) return variants.error();
    for (Variant& variant : variants.value()) {
      variant.script = script;
      add(std::move(variant));
    }
    return std::nullopt;
  }

  Exit report(const validate::Results& results) {
    const std::vector<validate::Judged> judged = validate::judge_all(plan_, results);
    console_.err << "\n";
    console_.out << (options_.json ? validate::report_json(plan_, results, judged)
                                   : validate::report_text(plan_, results, judged, console_.color));
    if (!options_.html.empty()) {
      std::ofstream out(options_.html, std::ios::binary);
      out << validate::report_html(plan_, results, judged);
      out.close();
      if (!out)
        return fail(
            {options_.html, 0, "this file can't be written", "name another one with `--html`"});
    }
    if (results.interrupted) {
      return fail({"", 0, "interrupted; what was started has been ended", ""});
    }
    return validate::any_refuted(judged) ? Exit::findings : Exit::clean;
  }

  const ValidateOptions& options_;
  const knowledge::Knowledge& knowledge_;
  const Console& console_;
  Plan plan_;
  std::vector<Promise> promises_;
  std::vector<std::string> left_out_;
};

}  // namespace

Exit run_validate(const ValidateOptions& options, const knowledge::Knowledge& knowledge,
                  const Console& console) {
  return Validation(options, knowledge, console).run();
}

}  // namespace vramlint::cli
