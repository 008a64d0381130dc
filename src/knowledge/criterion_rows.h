// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace vramlint::knowledge {

/// What a run of a program is measured by.
enum class Measure : uint8_t {
  setting_in_force,
  ends_normally,
  children_end_normally,
  warnings,
  seconds,
  driver_allocations,
  device_memory,
  allocated_memory,
  memory,
};

/// `holds`: yes in every run with the fix, no without. `lower`: less than without the fix.
enum class Wants : uint8_t { holds, lower };

/// What a fix promises and how that is judged, by name in the pages' `confirms`.
struct CriterionRow {
  std::string_view name;
  Measure measure{};
  Wants wants{};
  double margin = 0;   ///< share by which it has to be lower
  double scatter = 0;  ///< share of their median by which runs may differ and still refute
  std::string_view summary;
  std::string_view source;
};

}  // namespace vramlint::knowledge
