// SPDX-License-Identifier: MIT
//
// The name of an environment variable as a keyword of a call that has nothing to do with the
// environment.
#include <algorithm>
#include <array>

#include "rules/check.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

/// Words in the name of a function that builds an environment or a configuration of somebody's own.
constexpr std::array<std::string_view, 9> builders = {
    "dict", "env", "update", "patch", "override", "config", "option", "setting", "format"};

bool builds_environment(std::string_view callee) {
  std::string name(callee.substr(callee.rfind('.') + 1));
  std::ranges::transform(name, name.begin(), [](unsigned char byte) {
    return static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
  });
  return name.empty() || std::ranges::any_of(builders, [&](std::string_view word) {
           return name.find(word) != std::string::npos;
         });
}

/// The keyword reaches an environment after all.
bool is_written(const CheckContext& context, std::string_view name) {
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
    return seen.name == name && (seen.kind == ObservationKind::variable_write ||
                                 seen.kind == ObservationKind::child_variable_write);
  });
}

}  // namespace

void check_variable_as_argument(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != ObservationKind::variable_keyword || seen.in_test) continue;
    if (builds_environment(seen.value.text) || is_written(context, seen.name)) continue;
    RawFinding finding = context.finding_at(
        context.event(seen.event).place, context.severity(),
        {{"variable", std::string(seen.name)}, {"call", std::string(seen.value.text)}});
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
