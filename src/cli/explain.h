// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"
#include "output/paint.h"

namespace vramlint::cli {

// The texts of `vramlint explain`. What they say stands in `rules/`; here it is only laid out.

/// A rule's page: its prose and cases without the block that the build reads.
std::string page_text(const knowledge::RulePage& page, const knowledge::Knowledge& knowledge,
                      output::Style style);

/// A row for each of these rules: code, name, family, severity, summary.
std::string rules_table(const std::vector<const knowledge::RulePage*>& pages);

/// Every row that speaks of a variable, a key of the allocator string, a call, a method or a
/// package; empty for a name that none has. With a release, each row says whether it holds there.
std::string rows_text(std::string_view name, const knowledge::Knowledge& knowledge,
                      std::optional<knowledge::Version> torch, output::Style style);

}  // namespace vramlint::cli
