// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/knowledge.h"

namespace vramlint::output {

/// What one row of the tables says, in words for people.
struct RowSection {
  std::string name;
  std::string kind;  ///< `environment variable`
  std::string summary;
  std::vector<std::pair<std::string_view, std::string>> lines;  ///< label and text
};

/// Every row that speaks of a variable, a key of the allocator string, a call, a method or a
/// package; empty for a name that none has. With a release, each row says whether it holds there.
std::vector<RowSection> sections_about(std::string_view name, const knowledge::Knowledge& knowledge,
                                       std::optional<knowledge::Version> torch);

}  // namespace vramlint::output
