// SPDX-License-Identifier: MIT
// Configurations that stand on others. Each keeps its own folder: a pattern counts from the file
// that it is written in.
#include "config/layers.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "config/glob.h"
#include "text/source.h"

namespace vramlint::config {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t max_file_bytes = 16 << 20;
constexpr std::size_t longest_chain = 64;

/// Where the `extend` of a layer stands.
Error error_at_extend(const Layer& layer, std::string message) {
  Error error;
  error.path = layer.settings.path;
  error.message = std::move(message);
  const auto place = layer.settings.places.find("extend");
  if (place == layer.settings.places.end()) return error;
  error.path = place->second.path;
  error.line = place->second.line;
  error.column = place->second.column;
  return error;
}

/// Paths in a file count from its folder.
void anchor(Layer& layer) {
  std::optional<std::string>& baseline = layer.settings.baseline;
  if (baseline && !baseline->empty()) *baseline = absolute_path(*baseline, layer.folder);
}

/// A path below the folder, relative to it, or empty.
std::string_view inside(const std::string& absolute, const std::string& folder) {
  if (!lies_in(absolute, folder)) return {};
  std::string_view rest = absolute;
  rest.remove_prefix(folder == "/" ? 0 : folder.size());
  while (rest.starts_with('/')) rest.remove_prefix(1);
  return rest;
}

}  // namespace

std::string absolute_path(const std::string& path, const std::string& folder) {
  std::string text = (fs::path(folder) / path).lexically_normal().generic_string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

bool lies_in(std::string_view path, std::string_view folder) {
  if (folder == "/" || path == folder) return true;
  return path.starts_with(folder) && path.substr(folder.size(), 1) == "/";
}

Result<Layers> with_extended(Layer own,
                             const std::function<std::string(const std::string&)>& shown) {
  Layers layers;  // the other way round while it grows
  std::vector<std::string> files{own.settings.path};
  layers.push_back(std::move(own));
  while (layers.back().settings.extend) {
    const Layer& last = layers.back();
    const std::string file = absolute_path(*last.settings.extend, last.folder);
    const std::string name = shown(file);
    std::string chain;
    for (const std::string& each : files) chain += each + " → ";
    if (std::ranges::find(files, name) != files.end()) {
      return error_at_extend(last, "`extend` goes round in a circle: " + chain + name);
    }
    if (files.size() >= longest_chain) return error_at_extend(last, "`extend` goes on too long");
    const Result<std::string> text = text::read_file(file, max_file_bytes);
    if (!text) {
      return error_at_extend(last, "`" + name + "`, which this extends: " + text.error().message);
    }
    Result<std::optional<Settings>> settings = read_settings(name, text.value());
    if (!settings) return settings.error();
    if (!settings.value()) {
      return error_at_extend(last, "`" + name + "`, which this extends, has no [tool.vramlint]");
    }
    files.push_back(name);
    layers.push_back({std::move(*settings.value()), fs::path(file).parent_path().generic_string()});
  }
  std::ranges::reverse(layers);
  for (Layer& layer : layers) anchor(layer);
  return layers;
}

Settings merged(const Layers& layers) {
  Settings settings;
  for (const Layer& layer : layers) settings = layered(std::move(settings), layer.settings);
  return settings;
}

bool excludes(const Layers& layers, const std::string& absolute) {
  return std::ranges::any_of(layers, [&](const Layer& layer) {
    if (layer.settings.exclude.empty()) return false;
    const std::string_view path = inside(absolute, layer.folder);
    return !path.empty() && std::ranges::any_of(layer.settings.exclude, [&](const auto& pattern) {
      return glob_matches(pattern, path);
    });
  });
}

std::vector<std::string> ignored_in(const Layers& layers, const std::string& absolute) {
  std::vector<std::string> ignored;
  for (const Layer& layer : layers) {
    for (const FileRules& each : layer.settings.per_file_ignores) {
      const bool turned = each.glob.starts_with('!');
      const std::string_view path = inside(absolute, layer.folder);
      const bool fits = glob_matches(std::string_view(each.glob).substr(turned ? 1 : 0), path);
      if (path.empty() || fits == turned) continue;
      ignored.insert(ignored.end(), each.rules.begin(), each.rules.end());
    }
  }
  return ignored;
}

}  // namespace vramlint::config
