// SPDX-License-Identifier: MIT
//
// A tensor that is moved to shared memory after the process that was given it has started.
#include <algorithm>

#include "rules/written_text.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

bool shares(const Observation& seen) {
  return is_call(seen, ".share_memory_") || is_call(seen, ".share_memory");
}

bool starts_child(const Observation& seen) {
  return seen.kind == ObservationKind::child_forked || seen.kind == ObservationKind::child_started;
}

bool is_given(const CheckContext& context, const Observation& process, std::string_view name) {
  return std::ranges::any_of(process.arguments, [&](const replay::ObservedArgument& argument) {
    return argument.keyword == "args" && argument.written &&
           has_word(context.text(*argument.written), name);
  });
}

}  // namespace

void check_shared_after_start(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string_view name = receiver_text(context, all[i]);
    if (!shares(all[i]) || !is_identifier(name)) continue;
    const Observation* start = nullptr;
    for (size_t j = i; j-- > 0;) {
      if (all[j].process != all[i].process || all[j].written.scope != all[i].written.scope)
        continue;
      if (shares(all[j]) && receiver_text(context, all[j]) == name) break;
      if (starts_child(all[j])) start = &all[j];
      const bool is_process =
          all[j].kind == ObservationKind::call && all[j].name.ends_with("Process");
      if (start == nullptr || !is_process || !is_given(context, all[j], name)) continue;
      RawFinding finding = context.finding_at(context.event(all[i].event).place, context.severity(),
                                              {{"name", std::string(name)}});
      finding.related.push_back({context.event(start->event).place, "the process starts here"});
      context.report(std::move(finding));
      break;
    }
  }
}

}  // namespace vramlint::rules
