// SPDX-License-Identifier: MIT
#include "config/target.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace vramlint::config {

namespace {

/// `==2.9.1` is shown as `2.9.1`.
std::string as_shown(const std::string& specifier) {
  std::size_t at = 0;
  while (at < specifier.size() && specifier[at] == '=') ++at;
  return specifier.substr(at);
}

/// `3.12`, or several: `3.12,3.13`.
Result<std::vector<knowledge::Version>> python_versions(const std::string& text) {
  std::vector<knowledge::Version> versions;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::optional<knowledge::Version> version =
        knowledge::parse_version(rest.substr(0, comma));
    if (!version) {
      Error error;
      error.message = "`" + text + "` is no version of Python";
      error.advice = "write one such as `3.12`, or several with commas";
      return error;
    }
    versions.push_back(*version);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  std::ranges::sort(versions);
  return versions;
}

}  // namespace

std::optional<TorchPin> pin_of(const std::vector<std::string>& specifiers,
                               const knowledge::Knowledge& knowledge) {
  TorchPin pin;
  for (const std::string& specifier : specifiers) {
    const Result<std::vector<knowledge::Version>> named =
        knowledge::releases_named(as_shown(specifier), knowledge);
    if (!named) continue;
    pin.versions.insert(pin.versions.end(), named.value().begin(), named.value().end());
    if (!pin.text.empty()) pin.text += " or ";
    pin.text += as_shown(specifier);
  }
  if (pin.versions.empty()) return std::nullopt;
  std::ranges::sort(pin.versions);
  pin.versions.erase(std::unique(pin.versions.begin(), pin.versions.end()), pin.versions.end());
  return pin;
}

Result<knowledge::Target> resolve_target(const Settings& settings,
                                         const std::optional<TorchPin>& pin,
                                         const knowledge::Knowledge& knowledge) {
  knowledge::Target target = knowledge::default_target(knowledge);
  if (settings.torch) {
    Result<std::vector<knowledge::Version>> named =
        knowledge::releases_named(*settings.torch, knowledge);
    if (!named) return named.error();
    target.torch = std::move(named).value();
    target.torch_text = *settings.torch;
    target.torch_stated = true;
  } else if (pin) {
    target.torch = pin->versions;
    target.torch_text = pin->text;
    target.torch_stated = true;
  }
  if (settings.python) {
    Result<std::vector<knowledge::Version>> versions = python_versions(*settings.python);
    if (!versions) return versions.error();
    target.python = std::move(versions).value();
    target.python_text = *settings.python;
  }
  if (settings.platform) target.platform = *settings.platform;
  return target;
}

}  // namespace vramlint::config
