// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "config/statements.h"

namespace vramlint::config {

// Files in which people say what a project needs. Of several places in one file the first that
// names a version speaks, the project's own dependencies before those of its extras and groups.

/// `pyproject.toml`: `[project]`, `[dependency-groups]`, `[tool.poetry]`, `[tool.pixi]`,
/// `[tool.pdm]`, `[tool.uv]`.
FileStatements read_pyproject(const std::string& text, const knowledge::Knowledge& knowledge);

/// `pixi.toml`: what stands under `[tool.pixi]` in the above.
FileStatements read_pixi(const std::string& text, const knowledge::Knowledge& knowledge);

FileStatements read_pipfile(const std::string& text, const knowledge::Knowledge& knowledge);
FileStatements read_setup_cfg(const std::string& text, const knowledge::Knowledge& knowledge);

/// `environment.yml`: conda's packages, and pip's in the list below.
FileStatements read_conda_environment(const std::string& text,
                                      const knowledge::Knowledge& knowledge);

/// `.python-version`, one name a line: `3.11`, `3.11.4`, `cpython@3.12`, `pypy3.10-7.3.12`.
FileStatements read_python_version(const std::string& text, const knowledge::Knowledge& knowledge);

/// One of conda's packages: `pytorch=2.1`, `pytorch::pytorch 2.1.* cuda*`, `python>=3.10`.
void add_conda_package(std::string_view package, int line, const knowledge::Knowledge& knowledge,
                       FileStatements& into);

}  // namespace vramlint::config
