// SPDX-License-Identifier: MIT
// From the runs of a plan to the verdict on each of its variants.
#pragma once

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

/// Whether a verdict came out as refuted, for the exit status.
bool any_refuted(const std::vector<Judged>& judged);

}  // namespace vramlint::validate
