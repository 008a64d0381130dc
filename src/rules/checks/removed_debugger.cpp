// SPDX-License-Identifier: MIT
//
// `cuda-memcheck`, which CUDA 12 has no longer.
#include "rules/check.h"
#include "rules/source_edits.h"

namespace vramlint::rules {

void check_removed_debugger(CheckContext& context) {
  constexpr std::string_view gone = "cuda-memcheck";
  for (const replay::Observation& seen : context.timeline.observations) {
    if (seen.kind != replay::ObservationKind::program_started) continue;
    for (const replay::ObservedArgument& word : seen.arguments) {
      const bool is_it = word.value.kind == replay::KnownValue::Kind::text &&
                         (word.value.text == gone || word.value.text.ends_with("/cuda-memcheck"));
      if (!is_it || seen.name != gone || !word.written) continue;
      RawFinding finding = context.finding_at(*word.written, context.severity(), {});
      if (word.value.text == gone)
        finding.fix = fix_of(Applicability::safe, "use `compute-sanitizer`", *word.written,
                             "compute-sanitizer");
      context.report(std::move(finding));
      break;
    }
  }
}

}  // namespace vramlint::rules
