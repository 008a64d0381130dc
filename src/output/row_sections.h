// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/knowledge.h"

namespace vramlint::output {

/// The table that a row stands in; `name` for what several tables say of a name of PyTorch's.
enum class RowKind : uint8_t { variable, name, key, call, method, package };

/// `environment variable`
std::string_view name_of(RowKind kind);

/// What one row of the tables says, in words for people.
struct RowSection {
  std::string name;
  RowKind kind{};
  std::string summary;
  std::vector<std::pair<std::string_view, std::string>> lines;  ///< label and text
};

/// Every row that speaks of a variable, a key of the allocator string, a call, a method or a
/// package; empty for a name that none has. With a release, each row says whether it holds there.
std::vector<RowSection> sections_about(std::string_view name, const knowledge::Knowledge& knowledge,
                                       std::optional<knowledge::Version> torch);

}  // namespace vramlint::output
