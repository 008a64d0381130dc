// SPDX-License-Identifier: MIT
#include "validate/judged.h"

#include <algorithm>

namespace vramlint::validate {

std::vector<Judged> judge_all(const Plan& plan, const Results& results) {
  std::vector<Judged> all(plan.variants.size());
  const std::vector<const Run*> before = runs_of(results, 0);
  for (std::size_t i = 1; i < plan.variants.size(); ++i) {
    const std::vector<const Run*> after = runs_of(results, i);
    for (const Promise& promise : plan.variants[i].promises) {
      all[i].judgements.push_back(judge(*promise.criterion, before, after, promise.variables));
    }
    all[i].verdict = overall(all[i].judgements);
  }
  return all;
}

bool any_refuted(const std::vector<Judged>& judged) {
  return std::ranges::any_of(judged, [](const Judged& each) {
    return !each.judgements.empty() && each.verdict == Verdict::refuted;
  });
}

}  // namespace vramlint::validate
