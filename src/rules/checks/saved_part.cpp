// SPDX-License-Identifier: MIT
//
// A part of a tensor that is written to a file, or a model that is copied, round for round: both
// take the whole each time.
#include <algorithm>
#include <array>

#include "rules/check.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

/// `features[i]`, `features[2:5]`: a view of the tensor. A list of indices, or a mask, makes a
/// copy.
bool is_view(std::string_view text) {
  if (!text.ends_with(']')) return false;
  const size_t open = text.find('[');
  const std::string_view inner = text.substr(open + 1, text.size() - open - 2);
  const bool is_path = text.substr(0, open).find_first_of("([{ ") == std::string_view::npos;
  return open > 0 && is_path && inner.find_first_of("[]()<>=") == std::string_view::npos;
}

/// What people call a network.
bool names_model(std::string_view text) {
  constexpr std::array<std::string_view, 4> names = {"model", "net", "network", "module"};
  const std::string_view last = text.substr(text.rfind('.') + 1);
  return std::ranges::find(names, last) != names.end();
}

}  // namespace

void check_saved_part(CheckContext& context) {
  for (const Observation& seen : context.timeline.observations) {
    if (seen.kind != ObservationKind::call || !context.is_about(seen.name)) continue;
    if (!seen.loop || seen.arguments.empty() || !seen.arguments.front().written) continue;
    const replay::ObservedArgument& argument = seen.arguments.front();
    const std::string_view text = context.text(*argument.written);
    const bool is_tensor = argument.device != replay::Device::other;
    const bool saves = seen.name == "torch.save" && is_tensor && is_view(text);
    const bool copies = seen.name == "copy.deepcopy" && names_model(text);
    const bool is_save_page = context.page.name == "view-saved-whole";
    if (is_save_page ? !saves : !copies) continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"argument", std::string(text)}});
    context.explain_calls(finding, seen.event);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
