// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "output/report.h"

namespace vramlint::output {

/// A report that every format is shown, so that a format is tested by one expected file alone.
struct Sample {
  std::string name;
  Report report;
};

std::vector<Sample> all_samples();

}  // namespace vramlint::output
