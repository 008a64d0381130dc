// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/statements.h"

namespace vramlint::config {

/// What a requirement says about torch, `torch[opt]>=2.4 ; python_version < "3.9"`.
struct TorchRequirement {
  std::string specifier;  ///< empty when it names no version
  knowledge::ImagePlatform platform = knowledge::ImagePlatform::any;
};

/// Nothing for a requirement of another package. A wheel's address names the version of the wheel.
std::optional<TorchRequirement> torch_requirement(std::string_view requirement,
                                                  const knowledge::Knowledge& knowledge);

/// The specifier of `torch_requirement` alone.
std::string torch_specifier(std::string_view requirement);

/// Adds what one requirement says. Whether it is about torch.
bool add_requirement(std::string_view requirement, int line, const knowledge::Knowledge& knowledge,
                     FileStatements& into);

/// `requirements.txt` and its like, with the indexes and the files that it names.
FileStatements read_requirements(const std::string& text, const knowledge::Knowledge& knowledge);

}  // namespace vramlint::config
