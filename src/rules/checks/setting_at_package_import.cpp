// SPDX-License-Identifier: MIT
//
// A package that writes a setting while it is imported, below its own import of torch: whether that
// helps depends on what the importing program did before, and nobody sees it there.
#include "rules/check.h"

namespace vramlint::rules {

void check_setting_at_package_import(CheckContext& context) {
  for (const replay::Observation& seen : context.timeline.observations) {
    const bool is_write = seen.kind == replay::ObservationKind::variable_write;
    if (seen.conditional) continue;  // the package looks first
    if (!is_write || !seen.at_import || !seen.in_package || !context.is_about(seen.name)) continue;
    const knowledge::VariableRow* row = context.knowledge.variable(seen.name);
    if (row == nullptr || !row->torch.contains(context.torch())) continue;
    const replay::MomentState& read = seen.moments[static_cast<size_t>(row->read_at)];
    const auto import = knowledge::Moment::import_torch;
    const replay::MomentState& imported = seen.moments[static_cast<size_t>(import)];
    if (read.certainty != replay::Certainty::no || imported.certainty != replay::Certainty::yes)
      continue;
    RawFinding finding = context.finding_at(context.event(seen.event).place, context.severity(),
                                            {{"variable", std::string(seen.name)}});
    context.explain_event(finding, imported, import);
    context.report(std::move(finding));
  }
}

}  // namespace vramlint::rules
