// SPDX-License-Identifier: MIT
#include "config/requirements.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "config/lines.h"

namespace vramlint::config {

namespace {

using knowledge::ImagePlatform;

/// `2.4.0+cu121` of `…/torch-2.4.0%2Bcu121-cp310-cp310-linux_x86_64.whl`.
std::string version_of_wheel(std::string_view address) {
  const std::size_t slash = address.rfind('/');
  std::string_view file = address.substr(slash == std::string_view::npos ? 0 : slash + 1);
  if (!file.starts_with("torch-") || file.find(".whl") == std::string_view::npos) return {};
  file.remove_prefix(std::string_view("torch-").size());
  std::string version(file.substr(0, file.find('-')));
  if (const std::size_t plus = version.find("%2B"); plus != std::string::npos) {
    version.replace(plus, 3, "+");
  }
  return version;
}

std::optional<TorchRequirement> torch_wheel(std::string_view address,
                                            const knowledge::Knowledge& knowledge) {
  const std::string version = version_of_wheel(address);
  if (version.empty()) return std::nullopt;
  return TorchRequirement{"==" + version.substr(0, version.find('+')),
                          platform_of_wheel(address, knowledge)};
}

bool is_address(std::string_view text) { return text.find("://") != std::string_view::npos; }

/// The value of an option that a line begins with, as in `-r FILE`, `-rFILE` or `--index-url=URL`.
std::string_view option_value(std::string_view line, std::string_view option) {
  if (!line.starts_with(option)) return {};
  const std::string_view rest = line.substr(option.size());
  const bool is_long = option.starts_with("--");
  if (is_long && !rest.starts_with('=') && !rest.starts_with(' ')) return {};
  const std::string_view value = trimmed(rest.substr(rest.starts_with('=') ? 1 : 0));
  return value.substr(0, value.find_first_of(" \t"));
}

std::string_view value_of_any(std::string_view line, std::span<const std::string_view> options) {
  for (const std::string_view option : options) {
    const std::string_view value = option_value(line, option);
    if (!value.empty()) return value;
  }
  return {};
}

void read_option(std::string_view line, int number, const knowledge::Knowledge& knowledge,
                 FileStatements& into) {
  constexpr std::string_view files[] = {"--requirement", "--constraint", "-r", "-c"};
  constexpr std::string_view addresses[] = {"--index-url", "--extra-index-url", "--find-links",
                                            "-i", "-f"};
  if (const std::string_view file = value_of_any(line, files); !file.empty()) {
    if (!is_address(file)) into.includes.emplace_back(file);
    return;
  }
  const ImagePlatform platform = platform_of_wheel(value_of_any(line, addresses), knowledge);
  if (platform != ImagePlatform::any) into.platforms.push_back({platform, number});
}

}  // namespace

std::optional<TorchRequirement> torch_requirement(std::string_view requirement,
                                                  const knowledge::Knowledge& knowledge) {
  // A `#` begins a comment behind a blank only; in an address it does not.
  const std::string_view whole = trimmed(requirement);
  if (is_address(whole.substr(0, whole.find_first_of(" \t")))) return torch_wheel(whole, knowledge);
  const std::size_t name_end = std::min(whole.find_first_of(" \t[<>=!~(@;#"), whole.size());
  if (!is_package(whole.substr(0, name_end), "torch")) return std::nullopt;
  std::string_view rest = trimmed(whole.substr(name_end));
  if (rest.starts_with('['))
    rest = trimmed(rest.substr(std::min(rest.find(']'), rest.size() - 1) + 1));
  if (rest.starts_with('@')) {
    const std::string_view address = trimmed(rest.substr(1));
    const auto wheel = torch_wheel(address.substr(0, address.find_first_of(" \t;")), knowledge);
    return wheel ? wheel : TorchRequirement{"", platform_of_wheel(address, knowledge)};
  }
  rest = trimmed(rest.substr(0, rest.find_first_of(";#")));
  if (rest.starts_with('(')) rest = trimmed(rest.substr(1, rest.find(')') - 1));
  rest = rest.substr(0, rest.find(" --"));  // `--hash=…` of pip
  const std::vector<Statement> statements = statements_of(rest, Dialect::pip, 0);
  return TorchRequirement{statements.empty() ? "" : statements.front().specifier,
                          platform_of_wheel(rest, knowledge)};
}

std::string torch_specifier(std::string_view requirement) {
  const auto torch = torch_requirement(requirement, knowledge::Knowledge::builtin());
  return torch ? torch->specifier : "";
}

bool add_requirement(std::string_view requirement, int line, const knowledge::Knowledge& knowledge,
                     FileStatements& into) {
  const std::optional<TorchRequirement> torch = torch_requirement(requirement, knowledge);
  if (!torch) return false;
  for (Statement& each : statements_of(torch->specifier, Dialect::pip, line)) {
    into.torch.push_back(std::move(each));
  }
  into.platforms.push_back({torch->platform, line});
  return true;
}

FileStatements read_requirements(const std::string& text, const knowledge::Knowledge& knowledge) {
  FileStatements found;
  Lines lines(text);
  while (lines.next()) {
    const std::string_view line = lines.text();
    if (line.starts_with('-')) {
      read_option(line, lines.number(), knowledge, found);
    } else if (!line.empty() && line.front() != '#') {
      add_requirement(line, lines.number(), knowledge, found);
    }
  }
  return found;
}

}  // namespace vramlint::config
