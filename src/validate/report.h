// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "validate/plan.h"
#include "validate/verdict.h"

namespace vramlint::validate {

/// A variant's promises as they came out. The first variant has none.
struct Judged {
  std::vector<Judgement> judgements;
  Verdict verdict = Verdict::inconclusive;
};

/// By variant.
std::vector<Judged> judge_all(const Plan& plan, const Results& results);

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

/// `12.3 GiB`, `4 MiB`.
std::string bytes_text(double bytes);
/// `62 ms`, `4.31 s`.
std::string seconds_text(double seconds);
/// `exit 0`, `killed by signal 9`, `stopped after 600 s`.
std::string ending_text(const Ended& ended);
/// A criterion's number as people read it.
std::string value_text(knowledge::Measure measure, double value);

/// One row of the table of figures: a name, and the medians by variant (`–` where there are none).
struct FigureRow {
  std::string name;
  std::vector<std::string> values;
};

std::vector<FigureRow> figure_rows(const Plan& plan, const Results& results);

/// Whether a verdict came out as refuted, for the exit status.
bool any_refuted(const std::vector<Judged>& judged);

}  // namespace vramlint::validate
