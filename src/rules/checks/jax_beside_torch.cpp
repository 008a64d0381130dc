// SPDX-License-Identifier: MIT
//
// JAX and PyTorch on one GPU, and nothing said about who gets how much.
#include <algorithm>

#include "rules/check.h"

namespace vramlint::rules {

void check_jax_beside_torch(CheckContext& context) {
  const auto& end = context.timeline.at_end;
  const replay::MomentState& jax = end[static_cast<size_t>(knowledge::Moment::jax_backend)];
  const replay::MomentState& torch = end[static_cast<size_t>(knowledge::Moment::device_allocation)];
  const bool both =
      jax.certainty == replay::Certainty::yes && torch.certainty == replay::Certainty::yes;
  const bool is_set =
      std::ranges::any_of(context.timeline.observations, [&](const replay::Observation& seen) {
        return seen.kind == replay::ObservationKind::variable_write && context.is_about(seen.name);
      });
  if (!both || is_set) return;
  RawFinding finding = context.finding_at(context.event(jax.event).place, context.severity(), {});
  finding.related.push_back({context.event(torch.event).place, "PyTorch takes its memory here"});
  context.report(std::move(finding));
}

}  // namespace vramlint::rules
