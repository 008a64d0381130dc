// SPDX-License-Identifier: MIT
// The manifests that are written in TOML.
#include <toml++/toml.h>
#include <optional>
#include <string_view>
#include <utility>

#include "config/manifests.h"
#include "config/requirements.h"
#include "config/toml.h"
#include "text/whole_words.h"

namespace vramlint::config {

namespace {

using knowledge::ImagePlatform;

/// Parsing every `pyproject.toml` of a large tree costs more than looking for a word.
std::optional<toml::table> parsed(const std::string& text) {
  constexpr std::string_view words[] = {"torch", "python"};
  if (!text::has_any(text, words)) return std::nullopt;
  Result<toml::table> table = parse_toml(text);
  if (!table) return std::nullopt;
  return std::move(table).value();
}

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

/// Reads one manifest. Each `add_…` takes a node that may be missing or of the wrong kind.
class Manifest {
 public:
  Manifest(const knowledge::Knowledge& knowledge, FileStatements& into)
      : knowledge_(knowledge), into_(into) {}

  bool knows_torch() const { return !into_.torch.empty(); }
  bool knows_python() const { return !into_.python.empty(); }

  /// A list of requirements.
  void add_list(const toml::node* node) {
    const toml::array* array = node == nullptr ? nullptr : node->as_array();
    if (array == nullptr) return;
    for (const toml::node& item : *array) {
      const toml::value<std::string>* text = item.as_string();
      if (text != nullptr) add_requirement(text->get(), line_of(item), knowledge_, into_);
    }
  }

  /// A table of such lists.
  void add_lists(const toml::node* node) {
    const toml::table* table = node == nullptr ? nullptr : node->as_table();
    if (table == nullptr) return;
    for (const auto& [name, list] : *table) add_list(&list);
  }

  /// A table with a package a key. conda calls torch by other names.
  void add_packages(const toml::node* node, Dialect dialect) {
    const toml::table* table = node == nullptr ? nullptr : node->as_table();
    if (table == nullptr) return;
    const bool is_conda = dialect == Dialect::conda;
    const toml::node* torch = table->get(is_conda ? "pytorch" : "torch");
    if (torch == nullptr && is_conda) torch = table->get("pytorch-gpu");
    if (torch != nullptr) add_torch(*torch, dialect);
    if (const toml::node* python = table->get("python")) add_python(python, dialect);
  }

  void add_python(const toml::node* node, Dialect dialect) {
    if (node == nullptr) return;
    const toml::node* version = node;
    if (const toml::table* table = node->as_table()) version = table->get("version");
    const std::optional<std::string> text =
        version == nullptr ? std::nullopt : version->value<std::string>();
    if (!text) return;
    for (Statement& each : statements_of(*text, dialect, line_of(*node))) {
      into_.python.push_back(std::move(each));
    }
  }

  /// The addresses of `[[…]] url = …`.
  void add_indexes(const toml::node* node) {
    const toml::array* array = node == nullptr ? nullptr : node->as_array();
    if (array == nullptr) return;
    for (const toml::node& item : *array) {
      const toml::table* table = item.as_table();
      if (table != nullptr) add_address(table->get("url"));
    }
  }

  void add_address(const toml::node* node) {
    const std::optional<std::string> text =
        node == nullptr ? std::nullopt : node->value<std::string>();
    if (!text) return;
    const ImagePlatform platform = platform_of_wheel(*text, knowledge_);
    if (platform != ImagePlatform::any) into_.platforms.push_back({platform, line_of(*node)});
  }

 private:
  /// A version, a table with one, or a list of such tables for several systems.
  void add_torch(const toml::node& node, Dialect dialect) {
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& item : *array) {
        if (!item.is_array()) add_torch(item, dialect);
      }
      return;
    }
    const toml::table* table = node.as_table();
    const toml::node* version = table == nullptr ? &node : table->get("version");
    if (table != nullptr) add_address(table->get("index"));
    if (const toml::node* url = table == nullptr ? nullptr : table->get("url")) {
      add_requirement("torch @ " + url->value_or(std::string()), line_of(*url), knowledge_, into_);
    }
    const std::optional<std::string> text =
        version == nullptr ? std::nullopt : version->value<std::string>();
    if (!text) return;
    for (Statement& each : statements_of(*text, dialect, line_of(*version))) {
      into_.torch.push_back(std::move(each));
    }
    into_.platforms.push_back({platform_of_wheel(*text, knowledge_), line_of(*version)});
  }

  const knowledge::Knowledge& knowledge_;
  FileStatements& into_;
};

using View = toml::node_view<const toml::node>;

/// `[dependencies]` and `[pypi-dependencies]` of one part of pixi's manifest.
void add_pixi_part(const View& part, Manifest& manifest) {
  manifest.add_packages(part["dependencies"].node(), Dialect::conda);
  manifest.add_packages(part["pypi-dependencies"].node(), Dialect::poetry);
}

/// The part itself, and only where it is silent its targets.
void add_pixi_with_targets(const View& part, Manifest& manifest) {
  add_pixi_part(part, manifest);
  const toml::table* targets = part["target"].as_table();
  if (targets == nullptr || manifest.knows_torch()) return;
  for (const auto& [name, target] : *targets) add_pixi_part(View(target), manifest);
}

void add_pixi(const View& pixi, Manifest& manifest) {
  add_pixi_with_targets(pixi, manifest);
  const toml::table* features = pixi["feature"].as_table();
  if (features == nullptr || manifest.knows_torch()) return;
  for (const auto& [name, feature] : *features) add_pixi_with_targets(View(feature), manifest);
}

void add_poetry_groups(const View& poetry, Manifest& manifest) {
  manifest.add_packages(poetry["dev-dependencies"].node(), Dialect::poetry);
  const toml::table* groups = poetry["group"].as_table();
  if (groups == nullptr) return;
  for (const auto& [name, group] : *groups) {
    manifest.add_packages(View(group)["dependencies"].node(), Dialect::poetry);
  }
}

}  // namespace

FileStatements read_pyproject(const std::string& text, const knowledge::Knowledge& knowledge) {
  FileStatements found;
  const std::optional<toml::table> table = parsed(text);
  if (!table) return found;
  Manifest manifest(knowledge, found);
  const View project = (*table)["project"];
  const View tool = (*table)["tool"];
  manifest.add_python(project["requires-python"].node(), Dialect::pip);
  manifest.add_list(project["dependencies"].node());
  if (!manifest.knows_torch() || !manifest.knows_python()) {
    manifest.add_packages(tool["poetry"]["dependencies"].node(), Dialect::poetry);
  }
  if (!manifest.knows_torch()) add_pixi(tool["pixi"], manifest);
  if (!manifest.knows_torch()) {
    manifest.add_lists(project["optional-dependencies"].node());
    manifest.add_lists((*table)["dependency-groups"].node());
    manifest.add_lists(tool["pdm"]["dev-dependencies"].node());
    manifest.add_list(tool["uv"]["dev-dependencies"].node());
    manifest.add_list(tool["uv"]["constraint-dependencies"].node());
    manifest.add_list(tool["uv"]["override-dependencies"].node());
    add_poetry_groups(tool["poetry"], manifest);
  }
  manifest.add_indexes(tool["uv"]["index"].node());
  manifest.add_indexes(tool["poetry"]["source"].node());
  manifest.add_indexes(tool["pdm"]["source"].node());
  return found;
}

FileStatements read_pixi(const std::string& text, const knowledge::Knowledge& knowledge) {
  FileStatements found;
  const std::optional<toml::table> table = parsed(text);
  if (!table) return found;
  Manifest manifest(knowledge, found);
  add_pixi(View(*table), manifest);
  return found;
}

FileStatements read_pipfile(const std::string& text, const knowledge::Knowledge& knowledge) {
  FileStatements found;
  const std::optional<toml::table> table = parsed(text);
  if (!table) return found;
  Manifest manifest(knowledge, found);
  manifest.add_packages((*table)["packages"].node(), Dialect::poetry);
  if (!manifest.knows_torch()) {
    manifest.add_packages((*table)["dev-packages"].node(), Dialect::poetry);
  }
  manifest.add_python((*table)["requires"]["python_version"].node(), Dialect::poetry);
  manifest.add_python((*table)["requires"]["python_full_version"].node(), Dialect::poetry);
  manifest.add_indexes((*table)["source"].node());
  return found;
}

}  // namespace vramlint::config
