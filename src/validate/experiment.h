// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "knowledge/knowledge.h"
#include "support/result.h"
#include "validate/plan.h"

namespace vramlint::validate {

/// Who wants to know how far an experiment is.
struct Observer {
  std::function<void()> warms_up;
  std::function<void(std::size_t number, std::size_t count, const Variant& variant)> begins;
  std::function<void(const Run& run)> ended;
};

/// Runs a plan: A B A B …, each variant `plan.runs` times. Where time is judged, the program runs
/// once before, for nothing but warm caches: libraries that come from the disk for the first time
/// take seconds. Fails where nothing can be run at all: no GPU, no Python, not Linux. Files of the
/// user are read, never written.
Result<Results> run_experiment(const Plan& plan, const knowledge::Knowledge& knowledge,
                               const Observer& observer);

}  // namespace vramlint::validate
