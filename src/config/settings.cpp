// SPDX-License-Identifier: MIT
// From bytes to settings: files and `KEY=VALUE`. What the keys are is in keys.cpp.
#include "config/settings.h"

#include <toml++/toml.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "config/keys.h"
#include "config/toml.h"
#include "diagnostics/selection.h"

namespace vramlint::config {

namespace {

/// The `=` that ends the key; a key may hold one between quotes.
std::size_t end_of_key(std::string_view assignment) {
  char quote = '\0';
  for (std::size_t i = 0; i < assignment.size(); ++i) {
    const char byte = assignment[i];
    if (quote != '\0') {
      if (byte == quote) quote = '\0';
    } else if (byte == '"' || byte == '\'') {
      quote = byte;
    } else if (byte == '=') {
      return i;
    }
  }
  return assignment.size();
}

bool holds_number(const toml::node& node) {
  if (const toml::table* table = node.as_table()) {
    for (auto&& [key, value] : *table) return holds_number(value);
  }
  return node.is_number() || node.is_date() || node.is_time() || node.is_date_time();
}

}  // namespace

std::optional<diagnostics::Severity> parse_severity(std::string_view word) {
  using diagnostics::Severity;
  for (const Severity severity : {Severity::note, Severity::warning, Severity::error}) {
    if (name_of(severity) == word) return severity;
  }
  return std::nullopt;
}

Result<std::optional<Settings>> read_settings(const std::string& path, const std::string& text) {
  const bool is_pyproject = path.ends_with("pyproject.toml");
  // Most projects don't configure us: don't parse the file to find that out.
  if (is_pyproject && text.find("vramlint") == std::string::npos) return {std::nullopt};
  Result<toml::table> parsed = parse_toml(text);
  if (!parsed) {
    Error error = parsed.error();
    error.path = path;
    return error;
  }
  const toml::table* table = &parsed.value();
  if (is_pyproject) table = parsed.value()["tool"]["vramlint"].as_table();
  if (table == nullptr) return {std::nullopt};
  Settings settings;
  settings.path = path;
  if (std::optional<Error> error = read_keys(*table, settings)) {
    error->path = path;
    return *error;
  }
  for (auto& [key, place] : settings.places) place.path = path;
  for (RuleWord& word : settings.rule_words) word.place.path = path;
  return {std::move(settings)};
}

Result<Settings> read_assignment(const std::string& assignment) {
  const std::size_t equals = end_of_key(assignment);
  const std::string key = assignment.substr(0, equals);
  const std::string value = assignment.substr(std::min(equals + 1, assignment.size()));
  Result<toml::table> parsed = parse_toml(key + " = " + value);
  // A version such as 2.11 is a number to TOML, and not the one that was meant.
  if (!parsed || holds_number(parsed.value())) {
    using nlohmann::json;
    const std::string text = json(value).dump(-1, ' ', false, json::error_handler_t::replace);
    parsed = parse_toml(key + " = " + text);
  }
  if (!parsed) return Error{"", 0, "`" + assignment + "` is no KEY=VALUE", ""};
  Settings settings;
  if (std::optional<Error> error = read_keys(parsed.value(), settings)) {
    error->line = error->column = 0;
    return *error;
  }
  settings.places.clear();
  for (RuleWord& word : settings.rule_words) word.place = {};
  return settings;
}

std::optional<Error> check_rule_words(const Settings& settings,
                                      const knowledge::Knowledge& knowledge) {
  for (const RuleWord& word : settings.rule_words) {
    std::optional<Error> error = diagnostics::check_selector(word.word, knowledge);
    if (!error) continue;
    error->path = word.place.path;
    error->line = word.place.line;
    error->column = word.place.column;
    return error;
  }
  return std::nullopt;
}

}  // namespace vramlint::config
