// SPDX-License-Identifier: MIT
#include "rules/loader_words.h"

#include <algorithm>
#include <charconv>

namespace vramlint::rules {

using replay::KnownValue;
using replay::Observation;

std::string_view word_of(const replay::ObservedArgument& argument) {
  return argument.value.kind == KnownValue::Kind::text ? argument.value.text : std::string_view();
}

int number_in(std::string_view word) {
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size() ? number : 0;
}

namespace {

/// Whether the program is told where to listen: its workers are server processes.
bool is_server(const Observation& started) {
  return std::ranges::any_of(started.arguments, [](const replay::ObservedArgument& argument) {
    const std::string_view text = word_of(argument);
    const std::string_view name = text.substr(0, text.find('='));
    return name == "--host" || name == "--port" || name == "--bind";
  });
}

}  // namespace

bool asks_for_workers(const Observation& started) {
  for (size_t i = 0; i < started.arguments.size(); ++i) {
    std::string_view text = word_of(started.arguments[i]);
    const size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    if (!name.ends_with("workers")) continue;
    if (name == "--workers" && is_server(started)) continue;
    if (equals != std::string_view::npos && number_in(text.substr(equals + 1)) > 0) return true;
    const bool is_option = name.starts_with("--") && equals == std::string_view::npos;
    if (is_option && i + 1 < started.arguments.size() &&
        number_in(word_of(started.arguments[i + 1])) > 0)
      return true;
  }
  return false;
}

bool runs_training(const CheckContext& context, const Observation& started) {
  return std::ranges::any_of(started.arguments, [&](const replay::ObservedArgument& argument) {
    const std::string_view text = word_of(argument);
    if (text.ends_with(".py")) return true;
    const knowledge::LauncherRow* row = context.knowledge.launcher(text);
    return row != nullptr &&
           (row->name == "torchrun" || row->name == "accelerate" || row->name == "deepspeed");
  });
}

}  // namespace vramlint::rules
