// SPDX-License-Identifier: MIT
#include "validate/interpreter.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "support/system.h"
#include "validate/python_files.h"
#include "validate/told.h"

namespace vramlint::validate {

namespace {

using Json = nlohmann::json;

constexpr const char* name_another = "name the interpreter with `--interpreter`";

int told_number(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_unsigned() ? found->get<int>() : 0;
}

}  // namespace

Result<Interpreter> ask_interpreter(const std::string& interpreter,
                                    const std::vector<std::string>& scripts) {
  std::vector<std::string> words{interpreter, "-c", std::string(python_text("preflight.py"))};
  words.insert(words.end(), scripts.begin(), scripts.end());
  const Patience patience{interpreter_seconds, InterruptWatch::was_interrupted};
  const ProgramAnswer answer = run_program(std::move(words), own_environment(), patience);
  if (InterruptWatch::was_interrupted())
    return Error{"", 0, "interrupted; what ran has been ended", ""};
  if (!answer.started) return Error{"", 0, "there is no `" + interpreter + "`", name_another};
  if (answer.timed_out) {
    return Error{
        "", 0,
        fmt::format("`{}` gave no answer in {} s and was ended", interpreter, interpreter_seconds),
        name_another};
  }
  const Json told = Json::parse(last_line(answer.output), nullptr, false);
  if (!answer.succeeded() || !told.is_object()) {
    std::string message = "`" + interpreter + "` can't be run as Python";
    const std::string_view complaint = last_line(answer.complaints);
    if (!complaint.empty()) message += ": " + std::string(complaint);
    return Error{"", 0, message, name_another};
  }
  const std::string python = told_text(told, "python");
  const auto wrong = told.find("wrong");
  if (wrong != told.end() && wrong->is_object()) {
    const auto script = static_cast<std::size_t>(told_number(*wrong, "script"));
    return Error{script < scripts.size() ? scripts[script] : "", told_number(*wrong, "line"),
                 fmt::format("Python {} can't read this: {}", python, told_text(*wrong, "message")),
                 ""};
  }
  return Interpreter{python, told_text(told, "torch"), told_text(told, "cupti")};
}

}  // namespace vramlint::validate
