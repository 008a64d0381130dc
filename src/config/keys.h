// SPDX-License-Identifier: MIT
#pragma once

#include <toml++/toml.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/settings.h"

// The one list of keys. Reading, layering, showing and the published schema all go by it.

namespace vramlint::config {

// What a key takes, and the member that its value goes to.

struct Text {
  std::optional<std::string> Settings::*member;
  std::string_view example;
};
struct Flag {
  std::optional<bool> Settings::*member;
};
struct Level {
  std::optional<diagnostics::Severity> Settings::*member;
};
struct PlatformName {
  std::optional<knowledge::Platform> Settings::*member;
};
struct FormatName {
  std::optional<std::string> Settings::*member;
};
struct Globs {
  std::vector<std::string> Settings::*member;
};
struct Rules {
  std::vector<std::string> Settings::*member;
};
struct RuleChoice {
  std::optional<std::vector<std::string>> Settings::*member;
};
struct RulesByGlob {
  std::vector<FileRules> Settings::*member;
};
struct LevelByRule {
  std::vector<RuleSeverity> Settings::*member;
};

using Shape = std::variant<Text, Flag, Level, PlatformName, FormatName, Globs, Rules, RuleChoice,
                           RulesByGlob, LevelByRule>;

struct Key {
  std::string_view name;
  std::string_view summary;  ///< a sentence without its full stop, for the schema
  Shape shape;
};

std::span<const Key> all_keys();

/// The words that a key with a closed set takes; empty for other keys.
std::vector<std::string_view> words_of(const Shape& shape);

/// Reads a table of keys; the first mistake in the file, with its line and column.
std::optional<Error> read_keys(const toml::table& table, Settings& settings);

/// A value as TOML, or as near as a line allows; empty for what was left open.
std::string value_text(const Key& key, const Settings& settings);

}  // namespace vramlint::config
