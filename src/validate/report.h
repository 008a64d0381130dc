// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "validate/judged.h"
#include "validate/plan.h"

namespace vramlint::validate {

/// What is going to run and by what it will be judged, before anything runs.
std::string announcement(const Plan& plan);

/// The figures of all variants side by side, and the verdicts.
std::string report_text(const Plan& plan, const Results& results, const std::vector<Judged>& judged,
                        bool color);
/// Version 1; see README.md beside this.
std::string report_json(const Plan& plan, const Results& results,
                        const std::vector<Judged>& judged);
/// One page without anything from elsewhere: verdicts, figures, memory over time.
std::string report_html(const Plan& plan, const Results& results,
                        const std::vector<Judged>& judged);

/// One row of the table of figures: a name, and the medians by variant (`–` where there are none).
struct FigureRow {
  std::string name;
  std::vector<std::string> values;
};

/// The table of figures, without the rows in which no variant has anything.
std::vector<FigureRow> figure_rows(const Plan& plan, const Results& results);

}  // namespace vramlint::validate
