// SPDX-License-Identifier: MIT
//
// A process started with an environment of its own that lacks what this program has set for it.
#include <algorithm>

#include "rules/check.h"

namespace vramlint::rules {
namespace {

using replay::KnownValue;
using replay::Observation;
using replay::ObservationKind;

/// `sys.executable`, `python3`, `train.py`.
bool names_python(const KnownValue& word) {
  if (word.kind == KnownValue::Kind::other) return word.text == "sys.executable";
  if (word.kind != KnownValue::Kind::text) return false;
  const std::string_view program = word.text.substr(0, word.text.find(' '));
  return program.substr(program.rfind('/') + 1).starts_with("python") || program.ends_with(".py") ||
         program.ends_with("torchrun");
}

const Observation* write_before(const CheckContext& context, size_t index) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = index; i-- > 0;) {
    if (all[i].kind == ObservationKind::variable_write && all[i].name == all[index].name)
      return &all[i];
  }
  return nullptr;
}

}  // namespace

void check_child_environment(CheckContext& context) {
  const std::vector<Observation>& all = context.timeline.observations;
  for (size_t i = 0; i < all.size(); ++i) {
    const Observation& seen = all[i];
    if (seen.kind != ObservationKind::child_variable_left_out || seen.in_test) continue;
    if (!context.is_about(seen.name) || !std::ranges::any_of(seen.arguments, [](const auto& word) {
          return names_python(word.value);
        })) {
      continue;
    }
    const Observation* write = write_before(context, i);
    if (write == nullptr || write->conditional) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"variable", std::string(seen.name)}});
    finding.related.push_back({context.event(write->event).place, "set here"});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
