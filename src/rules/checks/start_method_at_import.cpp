// SPDX-License-Identifier: MIT
//
// A start method that is set when a module is imported.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

bool sets_method(const Observation& seen) {
  return seen.kind == ObservationKind::call &&
         seen.name.ends_with("multiprocessing.set_start_method");
}

}  // namespace

void check_start_method_at_import(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (!sets_method(seen) || !seen.at_import || seen.in_test) continue;
    if (is_under_main_guard(context, seen)) continue;
    const replay::Place place = context.event(seen.event).place;
    // What the modules of one project do to each other is their own affair.
    if (!seen.in_library && !seen.in_package) continue;
    context.report(context.finding_at(place, context.severity(), {}));
  }
}

}  // namespace vramlint::rules
