// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "validate/trace.h"

namespace vramlint::validate {

/// Memory in use over time, as one line of a drawing.
struct Series {
  std::string label;
  std::string color;
  bool dashed = false;
  uint64_t began_ns = 0;  ///< where its time counts from
  uint64_t ended_ns = 0;
  std::vector<Sample> samples;
};

/// An SVG element that stands on its own: axes in seconds and bytes, a step line for each series.
/// What lies closer together than can be seen is drawn by its peak.
std::string timeline_svg(const std::vector<Series>& series);

}  // namespace vramlint::validate
