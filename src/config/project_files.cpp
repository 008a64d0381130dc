// SPDX-License-Identifier: MIT
#include "config/project_files.h"

#include <array>

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

bool is_yaml(std::string_view name) { return name.ends_with(".yml") || name.ends_with(".yaml"); }

bool is_python_version(std::string_view name) { return name == ".python-version"; }
bool is_uv_lock(std::string_view name) { return name == "uv.lock"; }
bool is_poetry_lock(std::string_view name) { return name == "poetry.lock"; }
bool is_pixi_lock(std::string_view name) { return name == "pixi.lock"; }
bool is_pdm_lock(std::string_view name) { return name == "pdm.lock"; }
bool is_pipfile_lock(std::string_view name) { return name == "Pipfile.lock"; }
bool is_pyproject(std::string_view name) { return name == "pyproject.toml"; }
bool is_pixi(std::string_view name) { return name == "pixi.toml"; }
bool is_setup_cfg(std::string_view name) { return name == "setup.cfg"; }
bool is_pipfile(std::string_view name) { return name == "Pipfile"; }

/// `pylock.toml`, `pylock.dev.toml`.
bool is_pylock(std::string_view name) {
  return name.starts_with("pylock.") && name.ends_with(".toml");
}

/// `conda-lock.yml`, `gpu.conda-lock.yml`.
bool is_conda_lock(std::string_view name) {
  return is_yaml(name) && name.find("conda-lock.") != std::string_view::npos;
}

bool is_requirements(std::string_view name) {
  return name.starts_with("requirements") && name.ends_with(".txt");
}

/// `environment.yml`, `environment-gpu.yaml`, `conda_env.yml`, `env.yml`.
bool is_conda_environment(std::string_view name) {
  const bool is_named = name.find("environment") != std::string_view::npos ||
                        name.find("conda") != std::string_view::npos || name.starts_with("env");
  return is_named && is_yaml(name) && !is_conda_lock(name);
}

/// `Dockerfile`, `Dockerfile.rocm`, `Dockerfile-arm64`, `train.Dockerfile`, `Containerfile`.
bool is_dockerfile(std::string_view name) {
  for (const std::string_view word : {"Dockerfile", "Containerfile"}) {
    if (name == word) return true;
    const bool goes_on = name.size() > word.size() &&
                         std::string_view(".-_").find(name[word.size()]) != std::string_view::npos;
    if (name.starts_with(word) && goes_on) return !name.ends_with(".dockerignore");
  }
  return name.ends_with(".Dockerfile") || name.ends_with(".dockerfile") ||
         name.ends_with(".Containerfile");
}

constexpr std::array<FileKind, 15> kinds{{
    {is_python_version, read_python_version, by_hand},
    {is_uv_lock, read_toml_lock, by_program},
    {is_poetry_lock, read_toml_lock, by_program},
    {is_pixi_lock, read_conda_lock, by_program},
    {is_pylock, read_toml_lock, by_program},
    {is_pdm_lock, read_toml_lock, by_program},
    {is_pipfile_lock, read_pipfile_lock, by_program},
    {is_conda_lock, read_conda_lock, by_program},
    {is_requirements, read_requirements, by_hand},
    {is_pyproject, read_pyproject, by_hand},
    {is_pixi, read_pixi, by_hand},
    {is_setup_cfg, read_setup_cfg, by_hand},
    {is_pipfile, read_pipfile, by_hand},
    {is_conda_environment, read_conda_environment, small},
    {is_dockerfile, read_dockerfile, by_hand},
}};

}  // namespace

std::span<const FileKind> file_kinds() { return kinds; }

int kind_of(std::string_view name) {
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i].is_named(name)) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace vramlint::config
