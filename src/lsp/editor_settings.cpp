// SPDX-License-Identifier: MIT
#include "lsp/editor_settings.h"

#include <optional>
#include <string>
#include <utility>

#include "config/keys.h"

namespace vramlint::lsp {

namespace {

/// `extend-select` as editors write it: `extendSelect`.
std::string camel(std::string_view name) {
  std::string made;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] == '-' && at + 1 < name.size()) {
      made += static_cast<char>(name[++at] - 'a' + 'A');
    } else {
      made += name[at];
    }
  }
  return made;
}

/// Editors show a setting that nobody has made as an empty one.
bool says_something(const Json& value) {
  if (value.is_string()) return !value.get_ref<const std::string&>().empty();
  return !value.is_null() && !((value.is_array() || value.is_object()) && value.empty());
}

/// Texts, lists of texts and flags are the same in JSON and in TOML.
std::optional<Error> assign(const std::string& key, const Json& value, config::Settings& settings) {
  Result<config::Settings> read = config::read_assignment(key + "=" + text_of(value));
  if (!read) return read.error();
  settings = config::layered(std::move(settings), read.value());
  return std::nullopt;
}

}  // namespace

Result<config::Settings> settings_in(const Json& object) {
  config::Settings settings;
  for (const config::Key& key : config::all_keys()) {
    const std::string name(key.name);
    const Json& plain = member(object, name);
    const Json& value = plain.is_null() ? member(object, camel(name)) : plain;
    if (!says_something(value)) continue;
    if (!value.is_object()) {
      if (std::optional<Error> error = assign(name, value, settings)) return *error;
      continue;
    }
    for (const auto& [row, said] : value.items()) {
      const std::string dotted =
          name + "." + Json(row).dump(-1, ' ', false, Json::error_handler_t::replace);
      if (std::optional<Error> error = assign(dotted, said, settings)) return *error;
    }
  }
  return settings;
}

}  // namespace vramlint::lsp
