// SPDX-License-Identifier: MIT
#include "config/settings.h"

#include <toml++/toml.h>
#include <array>
#include <utility>

#include "support/nearest_name.h"

namespace vramlint::config {

namespace {

std::string expected(std::string_view key, std::string_view what) {
  return "`" + std::string(key) + "` takes " + std::string(what);
}

/// The readers below give what is wrong with a value, or nothing.
using Problem = std::optional<std::string>;

Problem read_text(std::string_view key, const toml::node& node, std::optional<std::string>& into) {
  into = node.value<std::string>();
  if (into) return std::nullopt;
  return expected(key, "a string, as in `\"2.11\"`");
}

Problem read_list(std::string_view key, const toml::node& node, std::vector<std::string>& into) {
  if (const std::optional<std::string> word = node.value<std::string>()) {
    into = {*word};
    return std::nullopt;
  }
  const toml::array* array = node.as_array();
  if (array == nullptr) return expected(key, "a list of strings");
  for (const toml::node& item : *array) {
    const std::optional<std::string> word = item.value<std::string>();
    if (!word) return expected(key, "a list of strings");
    into.push_back(*word);
  }
  return std::nullopt;
}

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

Problem read_torch(const toml::node& node, Settings& settings) {
  settings.torch_line = line_of(node);
  return read_text("torch", node, settings.torch);
}

Problem read_python(const toml::node& node, Settings& settings) {
  settings.python_line = line_of(node);
  return read_text("python", node, settings.python);
}

Problem read_platform(const toml::node& node, Settings& settings) {
  settings.platform_line = line_of(node);
  settings.platform = knowledge::parse_platform(node.value<std::string>().value_or(""));
  if (settings.platform) return std::nullopt;
  return expected("platform", "one of linux, windows, macos, wsl, jetson, rocm");
}

Problem read_select(const toml::node& node, Settings& settings) {
  return read_list("select", node, settings.select.emplace());
}

Problem read_extend_select(const toml::node& node, Settings& settings) {
  return read_list("extend-select", node, settings.extend_select);
}

Problem read_ignore(const toml::node& node, Settings& settings) {
  return read_list("ignore", node, settings.ignore);
}

Problem read_level(const toml::node& node, Settings& settings) {
  settings.level = parse_severity(node.value<std::string>().value_or(""));
  if (settings.level) return std::nullopt;
  return expected("level", "one of error, warning, note");
}

Problem read_exclude(const toml::node& node, Settings& settings) {
  return read_list("exclude", node, settings.exclude);
}

struct Key {
  std::string_view name;
  Problem (*read)(const toml::node& node, Settings& settings);
};

constexpr std::array<Key, 8> keys{{
    {"torch", read_torch},
    {"python", read_python},
    {"platform", read_platform},
    {"select", read_select},
    {"extend-select", read_extend_select},
    {"ignore", read_ignore},
    {"level", read_level},
    {"exclude", read_exclude},
}};

Error unknown_key(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Key& key : keys) names.push_back(key.name);
  Error error;
  error.message = "unknown key `" + std::string(name) + "`";
  error.advice = did_you_mean(name, names);
  return error;
}

std::optional<Error> read_key(std::string_view name, const toml::node& node, Settings& settings) {
  for (const Key& key : keys) {
    if (key.name != name) continue;
    const Problem problem = key.read(node, settings);
    if (!problem) return std::nullopt;
    Error error;
    error.message = *problem;
    return error;
  }
  return unknown_key(name);
}

std::optional<Error> read_table(const toml::table& table, Settings& settings) {
  // toml++ keeps a table's keys sorted by name: report the first in the file, not in the alphabet.
  std::optional<Error> first;
  for (const auto& [key, node] : table) {
    std::optional<Error> error = read_key(key.str(), node, settings);
    if (!error) continue;
    error->line = static_cast<int>(key.source().begin.line);
    if (!first || error->line < first->line) first = std::move(error);
  }
  return first;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

Result<toml::table> parse(const std::string& text) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& problem) {
    Error error;
    error.line = static_cast<int>(problem.source().begin.line);
    error.message = "no valid TOML: " + std::string(problem.description());
    return error;
  }
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
  const bool is_pyproject = ends_with(path, "pyproject.toml");
  // Most projects don't configure us: don't parse the file to find that out.
  if (is_pyproject && text.find("vramlint") == std::string::npos) return {std::nullopt};
  Result<toml::table> parsed = parse(text);
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
  if (std::optional<Error> error = read_table(*table, settings)) {
    error->path = path;
    return *error;
  }
  return {std::move(settings)};
}

Result<Settings> read_assignment(const std::string& assignment) {
  Settings settings;
  const std::size_t equals = assignment.find('=');
  const std::string key = assignment.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : assignment.substr(equals + 1);
  Result<toml::table> parsed = parse("value = " + value);
  toml::table table;
  if (parsed) {
    table = std::move(parsed).value();
  } else {
    table.insert("value", value);
  }
  // A version such as 2.11 is a number to TOML, and not the one that was meant.
  if (table["value"].is_number()) table.insert_or_assign("value", value);
  std::optional<Error> error = read_key(key, *table.get("value"), settings);
  if (error) return *error;
  return settings;
}

Settings layered(Settings under, const Settings& over) {
  if (over.torch) under.torch = over.torch;
  if (over.python) under.python = over.python;
  if (over.platform) under.platform = over.platform;
  if (over.select) under.select = over.select;
  if (over.level) under.level = over.level;
  const auto append = [](std::vector<std::string>& list, const std::vector<std::string>& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  append(under.extend_select, over.extend_select);
  append(under.ignore, over.ignore);
  append(under.exclude, over.exclude);
  return under;
}

}  // namespace vramlint::config
