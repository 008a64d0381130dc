// SPDX-License-Identifier: MIT
#include "config/project_files.h"

#include <algorithm>
#include <array>
#include <utility>

#include "config/dockerfile.h"
#include "config/lock_files.h"
#include "config/manifests.h"
#include "config/requirements.h"

namespace vramlint::config {

namespace {

/// Written by people. A requirements file of a megabyte is none.
constexpr uint64_t by_hand = 1 << 20;
constexpr uint64_t by_program = 64 << 20;
/// YAML's parser takes up to three seconds for a megabyte that is meant to harm.
constexpr uint64_t small = 64 << 10;

constexpr std::array<FileKind, 15> kinds{{
    {{".python-version"}, read_python_version, by_hand},
    {{"uv.lock"}, read_toml_lock, by_program},
    {{"poetry.lock"}, read_toml_lock, by_program},
    {{"pixi.lock"}, read_conda_lock, by_program},
    {{"pylock.toml", "pylock.*.toml"}, read_toml_lock, by_program},
    {{"pdm.lock"}, read_toml_lock, by_program},
    {{"Pipfile.lock"}, read_pipfile_lock, by_program},
    {{"*conda-lock.yml", "*conda-lock.yaml", "*conda-lock.*.yml", "*conda-lock.*.yaml"},
     read_conda_lock,
     by_program},
    {{"requirements*.txt"}, read_requirements, by_hand},
    {{"pyproject.toml"}, read_pyproject, by_hand},
    {{"pixi.toml"}, read_pixi, by_hand},
    {{"setup.cfg"}, read_setup_cfg, by_hand},
    {{"Pipfile"}, read_pipfile, by_hand},
    {{"*environment*.yml", "*environment*.yaml", "*conda*.yml", "*conda*.yaml", "env*.yml",
      "env*.yaml"},
     read_conda_environment,
     small},
    {{"Dockerfile", "Dockerfile.*", "Dockerfile-*", "Dockerfile_*", "Containerfile",
      "Containerfile.*", "Containerfile-*", "Containerfile_*", "*.Dockerfile", "*.dockerfile",
      "*.Containerfile"},
     read_dockerfile,
     by_hand},
}};

constexpr std::array<std::string_view, 4> marks{".git", "pyproject.toml", "setup.py", "setup.cfg"};

/// Our own configuration, and whatever it extends.
constexpr std::string_view configuration_ending = ".toml";

}  // namespace

std::span<const FileKind> file_kinds() { return kinds; }

int kind_of(std::string_view name) {
  if (name.ends_with(".dockerignore")) return -1;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    for (const NamePattern& pattern : kinds[i].names) {
      if (pattern.text().empty()) break;
      if (pattern.matches(name)) return static_cast<int>(i);
    }
  }
  return -1;
}

std::span<const std::string_view> project_marks() { return marks; }

bool begins_project(std::string_view name) { return std::ranges::count(marks, name) > 0; }

bool may_configure(std::string_view name) {
  return name.ends_with(configuration_ending) || begins_project(name) || kind_of(name) >= 0;
}

std::vector<std::string> watched_globs() {
  std::vector<std::string> globs{"**/*" + std::string(configuration_ending)};
  const auto add = [&globs](std::string_view pattern) {
    std::string glob = "**/" + std::string(pattern);
    const bool is_covered = pattern.empty() || pattern.ends_with(configuration_ending) ||
                            std::ranges::count(globs, glob) > 0;
    if (!is_covered) globs.push_back(std::move(glob));
  };
  for (const std::string_view mark : marks) add(mark);
  for (const FileKind& kind : kinds) {
    for (const NamePattern& pattern : kind.names) add(pattern.text());
  }
  return globs;
}

}  // namespace vramlint::config
