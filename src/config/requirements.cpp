// SPDX-License-Identifier: MIT
#include "config/requirements.h"

#include <toml++/toml.h>
#include <algorithm>
#include <cctype>
#include <cstddef>

namespace vramlint::config {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(trimmed(text.substr(0, end)));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

void add(std::vector<std::string>& list, std::string specifier) {
  if (specifier.empty() || std::ranges::find(list, specifier) != list.end()) return;
  list.push_back(std::move(specifier));
}

bool is_torch(std::string_view name) {
  constexpr std::string_view torch = "torch";
  return std::equal(name.begin(), name.end(), torch.begin(), torch.end(), [](char got, char want) {
    return std::tolower(static_cast<unsigned char>(got)) == want;
  });
}

void add_array(std::vector<std::string>& list, const toml::node* node) {
  const toml::array* array = node == nullptr ? nullptr : node->as_array();
  if (array == nullptr) return;
  for (const toml::node& item : *array) {
    if (const toml::value<std::string>* text = item.as_string()) {
      add(list, torch_specifier(text->get()));
    }
  }
}

void add_arrays_of(std::vector<std::string>& list, const toml::node* node) {
  const toml::table* table = node == nullptr ? nullptr : node->as_table();
  if (table == nullptr) return;
  for (const auto& [name, array] : *table) add_array(list, &array);
}

/// What stands between the quotes of `key = "value"`.
std::string_view quoted(std::string_view line, std::string_view key) {
  if (line.substr(0, key.size()) != key) return {};
  const std::size_t open = line.find('"');
  const std::size_t close = line.rfind('"');
  if (open == std::string_view::npos || close <= open) return {};
  return line.substr(open + 1, close - open - 1);
}

}  // namespace

std::string torch_specifier(std::string_view requirement) {
  requirement = trimmed(requirement.substr(0, requirement.find_first_of(";#")));
  const std::size_t name_end =
      std::min(requirement.find_first_of(" \t[<>=!~(@"), requirement.size());
  if (!is_torch(requirement.substr(0, name_end))) return {};
  std::string_view rest = trimmed(requirement.substr(name_end));
  if (rest.substr(0, 1) == "[")
    rest = trimmed(rest.substr(std::min(rest.find(']'), rest.size() - 1) + 1));
  if (rest.substr(0, 1) == "(") rest = trimmed(rest.substr(1, rest.find(')') - 1));
  if (rest.substr(0, 1) == "@") return {};
  rest = rest.substr(0, rest.find(" --"));  // `--hash=…` of pip
  std::string specifier;
  bool in_local_part = false;  // of `==2.9.1+cu128`
  for (const char byte : rest) {
    if (byte == '+') in_local_part = true;
    if (byte == ',') in_local_part = false;
    if (byte != ' ' && byte != '\t' && byte != '\\' && !in_local_part) specifier += byte;
  }
  return specifier;
}

std::vector<std::string> torch_in_requirements(std::string_view text) {
  std::vector<std::string> found;
  for (const std::string_view line : lines_of(text)) add(found, torch_specifier(line));
  return found;
}

std::vector<std::string> torch_in_pyproject(const std::string& text) {
  // Parsing every `pyproject.toml` of a large tree costs more than looking for the word.
  if (text.find("torch") == std::string::npos) return {};
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error&) {
    return {};
  }
  std::vector<std::string> found;
  add_array(found, table["project"]["dependencies"].node());
  if (!found.empty()) return found;
  add_arrays_of(found, table["project"]["optional-dependencies"].node());
  add_arrays_of(found, table["dependency-groups"].node());
  return found;
}

std::vector<std::string> torch_in_uv_lock(std::string_view text) {
  // uv writes one key a line, the name before the version; a lock of ten thousand lines needs no
  // TOML parser for that.
  std::vector<std::string> found;
  bool in_torch = false;
  for (const std::string_view line : lines_of(text)) {
    if (line.substr(0, 1) == "[") in_torch = false;
    if (quoted(line, "name = ") == "torch") in_torch = true;
    const std::string_view version = in_torch ? quoted(line, "version = ") : std::string_view();
    add(found, std::string(version.substr(0, version.find('+'))));
  }
  return found;
}

}  // namespace vramlint::config
