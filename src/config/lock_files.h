// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "config/statements.h"

namespace vramlint::config {

// Locks are written by programs, one key a line, and grow to ten thousands of lines: they are read
// line by line, and only around the places where torch stands.

/// `uv.lock`, `poetry.lock`, `pdm.lock` and `pylock.toml`: tables of packages in TOML.
FileStatements read_toml_lock(const std::string& text, const knowledge::Knowledge& knowledge);

/// `pixi.lock` and `conda-lock.yml`.
FileStatements read_conda_lock(const std::string& text, const knowledge::Knowledge& knowledge);

/// `Pipfile.lock`.
FileStatements read_pipfile_lock(const std::string& text, const knowledge::Knowledge& knowledge);

}  // namespace vramlint::config
