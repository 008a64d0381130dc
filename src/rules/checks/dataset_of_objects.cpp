// SPDX-License-Identifier: MIT
//
// A dataset that holds a whole file as Python objects, copied page by page into each forked worker.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

constexpr std::string_view loads[] = {"json.load", "json.loads", "pickle.load", "yaml.safe_load"};

bool fills_dataset(const CheckContext& context, const Observation& seen) {
  const bool is_load =
      seen.kind == ObservationKind::call && std::ranges::find(loads, seen.name) != std::end(loads);
  return is_load && seen.written.function == "__init__" &&
         assigned_text(context, seen).starts_with("self.");
}

}  // namespace

void check_dataset_of_objects(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!fills_dataset(context, all[i])) continue;
    for (size_t j = i + 1; j < all.size(); ++j) {
      const bool is_loader = all[j].kind == ObservationKind::call &&
                             all[j].name.ends_with(".DataLoader") &&
                             all[j].process == all[i].process;
      if (!is_loader || integer_of(argument_of(all[j], "num_workers", 5)) < 1) continue;
      if (argument_of(all[j], "multiprocessing_context", 11) != nullptr) continue;
      RawFinding finding =
          context.finding_at(context.event(all[i].event).place, context.severity(), {});
      finding.related.push_back({context.event(all[j].event).place, "each worker gets a copy"});
      context.report(std::move(finding));
      break;
    }
  }
}

}  // namespace vramlint::rules
