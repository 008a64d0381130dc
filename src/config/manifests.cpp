// SPDX-License-Identifier: MIT
// The manifests that are not written in TOML.
#include "config/manifests.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <utility>

#include "config/lines.h"
#include "config/requirements.h"
#include "syntax/yaml.h"

namespace vramlint::config {

namespace {

/// The parts of `setup.cfg` in which torch may stand.
bool is_extras(std::string_view section) { return section == "[options.extras_require]"; }

std::string_view text_behind(std::string_view line, char separator) {
  const std::size_t at = line.find(separator);
  return at == std::string_view::npos ? std::string_view() : trimmed(line.substr(at + 1));
}

}  // namespace

FileStatements read_setup_cfg(const std::string& text, const knowledge::Knowledge& knowledge) {
  FileStatements found;
  FileStatements extras;
  std::string_view section;
  std::string_view key;
  Lines lines(text);
  while (lines.next()) {
    const std::string_view line = lines.text();
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    const bool goes_on = lines.raw().starts_with(' ') || lines.raw().starts_with('\t');
    std::string_view value = line;
    if (!goes_on && line.front() == '[') {
      section = line;
      continue;
    }
    if (!goes_on) {
      key = trimmed(line.substr(0, line.find('=')));
      value = text_behind(line, '=');
    }
    const bool in_options = section == "[options]";
    if (in_options && key == "python_requires") {
      for (Statement& each : statements_of(value, Dialect::pip, lines.number())) {
        found.python.push_back(std::move(each));
      }
    } else if (in_options && key == "install_requires") {
      add_requirement(value, lines.number(), knowledge, found);
    } else if (is_extras(section)) {
      add_requirement(value, lines.number(), knowledge, extras);
    }
  }
  if (found.torch.empty()) found.torch = std::move(extras.torch);
  return found;
}

void add_conda_package(std::string_view package, int line, const knowledge::Knowledge& knowledge,
                       FileStatements& into) {
  package = trimmed(package);
  if (const std::size_t channel = package.rfind("::"); channel != std::string_view::npos) {
    package.remove_prefix(channel + 2);
  }
  const std::size_t name_end = std::min(package.find_first_of(" \t<>=!~[;"), package.size());
  const std::string_view name = package.substr(0, name_end);
  std::string_view version = package.substr(name_end);
  version = trimmed(version.substr(0, version.find_first_of("[;#")));
  std::vector<Statement> statements = statements_of(version, Dialect::conda, line);
  const auto move_into = [&statements](std::vector<Statement>& list) {
    std::move(statements.begin(), statements.end(), std::back_inserter(list));
  };
  if (name == "python") return move_into(into.python);
  constexpr std::array<std::string_view, 4> names = {"pytorch", "pytorch-gpu", "pytorch-cpu",
                                                     "torch"};
  if (std::ranges::find(names, name) == names.end()) return;
  into.platforms.push_back({platform_of_wheel(package, knowledge), line});
  move_into(into.torch);
}

FileStatements read_conda_environment(const std::string& text,
                                      const knowledge::Knowledge& knowledge) {
  FileStatements found;
  const bool may_speak =
      text.find("torch") != std::string::npos || text.find("python") != std::string::npos;
  if (!may_speak) return found;
  const std::vector<syntax::YamlNode> nodes = syntax::read_yaml(text);
  LineCounter counter(text);
  const syntax::YamlNode none;
  const auto parent_of = [&](const syntax::YamlNode& node) -> const syntax::YamlNode& {
    return node.parent < 0 ? none : nodes[static_cast<std::size_t>(node.parent)];
  };
  for (const syntax::YamlNode& node : nodes) {
    const syntax::YamlNode& list = parent_of(node);
    if (node.kind != syntax::YamlKind::scalar || list.kind != syntax::YamlKind::sequence) continue;
    const int line = counter.line_of(node.span.begin);
    if (list.key == "dependencies") {
      add_conda_package(node.text, line, knowledge, found);
    } else if (list.key == "pip" && parent_of(parent_of(list)).key == "dependencies") {
      FileStatements pip = read_requirements(node.text, knowledge);
      for (Statement& each : pip.torch) each.line = line;
      std::ranges::move(pip.torch, std::back_inserter(found.torch));
      for (PlatformStatement& each : pip.platforms)
        found.platforms.push_back({each.platform, line});
    }
  }
  return found;
}

FileStatements read_python_version(const std::string& text, const knowledge::Knowledge&) {
  FileStatements found;
  Lines lines(text);
  while (lines.next()) {
    std::string_view name = lines.text();
    if (name.empty() || name.front() == '#') continue;
    for (const std::string_view word : {"cpython", "pypy", "python", "@", "-"}) {
      if (name.starts_with(word)) name.remove_prefix(word.size());
    }
    const bool is_range = name.find_first_of("<>=!~") == 0;
    const std::size_t end =
        is_range ? name.size() : std::min(name.find_first_not_of("0123456789."), name.size());
    std::string version(name.substr(0, end));
    // `3` is any Python 3.
    if (version == "3" || version == "2") version += ".*";
    for (Statement& each : statements_of(version, Dialect::poetry, lines.number())) {
      found.python.push_back(std::move(each));
    }
  }
  return found;
}

}  // namespace vramlint::config
