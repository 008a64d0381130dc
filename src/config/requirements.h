// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vramlint::config {

// What the files of a project say about torch, as text: version specifiers (`==2.9.1`, `>=2.4,<3`),
// each once and in the order of the file. Markers (`; sys_platform == "linux"`) are not evaluated:
// what holds on some machine is part of the answer. Nothing is a valid answer, broken files
// included.

/// Of one requirement, `torch[opt]>=2.4 ; python_version < "3.9"`; empty when it is not about torch
/// or says nothing about the version.
std::string torch_specifier(std::string_view requirement);

std::vector<std::string> torch_in_requirements(std::string_view text);

/// `project.dependencies`; only where these are silent, the optional and the group dependencies.
std::vector<std::string> torch_in_pyproject(const std::string& text);

/// The locked versions, bare: `2.9.1`.
std::vector<std::string> torch_in_uv_lock(std::string_view text);

}  // namespace vramlint::config
