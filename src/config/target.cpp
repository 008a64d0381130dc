// SPDX-License-Identifier: MIT
#include "config/target.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace vramlint::config {

namespace {

using knowledge::Knowledge;
using knowledge::Version;

/// A part of the target as the command line or the configuration states it.
template <typename Value>
struct Setting {
  const Value* value = nullptr;
  std::string origin;
};

template <typename Value>
Setting<Value> setting_of(const std::optional<Value>& command_line,
                          const std::optional<Value>& configuration, const Settings& settings,
                          std::string_view key) {
  if (command_line) return {&*command_line, "command line"};
  if (!configuration) return {};
  const auto place = settings.places.find(key);
  if (place == settings.places.end()) return {&*configuration, settings.path};
  return {&*configuration, place->second.path + ":" + std::to_string(place->second.line)};
}

std::optional<Error> resolve_torch(const Setting<std::string>& setting, const Inferred& inferred,
                                   const Knowledge& knowledge, ResolvedTarget& into) {
  into.origins.torch = "default: newest release";
  if (setting.value != nullptr) {
    Result<std::vector<Version>> named = knowledge::releases_named(*setting.value, knowledge);
    if (!named) return named.error();
    into.target.torch = std::move(named).value();
    into.target.torch_text = *setting.value;
    into.origins.torch = setting.origin;
  } else if (inferred.torch) {
    into.target.torch = inferred.torch->versions;
    into.target.torch_text = inferred.torch->text;
    into.origins.torch = inferred.torch->origin;
  } else {
    return std::nullopt;
  }
  into.target.torch_stated = true;
  return std::nullopt;
}

std::optional<Error> resolve_python(const Setting<std::string>& setting, const Inferred& inferred,
                                    const Knowledge& knowledge, ResolvedTarget& into) {
  into.origins.python = "default: any";
  if (setting.value != nullptr) {
    Result<std::vector<Version>> named = python_versions(*setting.value, knowledge);
    if (!named) return named.error();
    into.target.python = std::move(named).value();
    into.target.python_text = *setting.value;
    into.origins.python = setting.origin;
  } else if (inferred.python) {
    into.target.python = inferred.python->versions;
    into.target.python_text = inferred.python->text;
    into.origins.python = inferred.python->origin;
  }
  return std::nullopt;
}

void resolve_platform(const Setting<knowledge::Platform>& setting, const Inferred& inferred,
                      ResolvedTarget& into) {
  into.origins.platform = "default";
  if (setting.value != nullptr) {
    into.target.platform = *setting.value;
    into.origins.platform = setting.origin;
  } else if (inferred.platform) {
    into.target.platform = inferred.platform->platform;
    into.origins.platform = inferred.platform->origin;
  }
}

}  // namespace

Result<std::vector<Version>> python_versions(const std::string& text, const Knowledge& knowledge) {
  // A list of versions admits all of them, where PEP 440 would ask for one that is each.
  const bool is_list = text.find_first_of("<>=!~*") == std::string::npos;
  if (!is_list) return knowledge::pythons_named(text, knowledge);
  std::vector<Version> versions;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::optional<Version> version = knowledge::parse_version(rest.substr(0, comma));
    if (!version) {
      return Error{"", 0, "`" + text + "` is no version of Python",
                   "write one such as `3.12`, or a range such as `>=3.10`"};
    }
    versions.push_back(*version);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  std::ranges::sort(versions);
  versions.erase(std::unique(versions.begin(), versions.end()), versions.end());
  return versions;
}

Result<ResolvedTarget> resolve_target(const Settings& command_line, const Settings& configuration,
                                      const Inferred& inferred, const Knowledge& knowledge) {
  ResolvedTarget resolved{knowledge::default_target(knowledge), {}};
  const auto torch = setting_of(command_line.torch, configuration.torch, configuration, "torch");
  const auto python =
      setting_of(command_line.python, configuration.python, configuration, "python");
  const auto platform =
      setting_of(command_line.platform, configuration.platform, configuration, "platform");
  if (std::optional<Error> error = resolve_torch(torch, inferred, knowledge, resolved)) {
    return *error;
  }
  if (std::optional<Error> error = resolve_python(python, inferred, knowledge, resolved)) {
    return *error;
  }
  resolve_platform(platform, inferred, resolved);
  return resolved;
}

}  // namespace vramlint::config
