// SPDX-License-Identifier: MIT
//
// Names of environment variables: one that nobody reads, since it is misspelt, and one that has a
// newer name.
#include <algorithm>

#include "rules/check.h"
#include "rules/misspelling.h"
#include "rules/source_edits.h"
#include "support/nearest_name.h"
#include "text/letter_case.h"

namespace vramlint::rules {
namespace {

using replay::Observation;
using replay::ObservationKind;

bool is_write(const Observation& seen) {
  return seen.kind == ObservationKind::variable_write ||
         seen.kind == ObservationKind::child_variable_write;
}

/// Something in the program reads the variable: then it is somebody's own.
bool is_read(const CheckContext& context, std::string_view name) {
  return std::ranges::any_of(context.timeline.observations, [&](const Observation& seen) {
    return seen.kind == ObservationKind::variable_asked && seen.name == name;
  });
}

void report(CheckContext& context, const Observation& seen, std::string_view right,
            Applicability applicability, const Words& words) {
  RawFinding finding =
      context.finding_at(context.event(seen.event).place, context.severity(), words);
  context.explain_calls(finding, seen.event);
  finding.fix = with_variable(context, seen, right, applicability);
  context.report(std::move(finding));
}

/// `$name` in a launch file: then it may well be a variable of the script alone.
bool is_expanded(const CheckContext& context, std::string_view name) {
  return std::ranges::any_of(context.timeline.files, [&](const auto& file) {
    const std::string_view bytes = file->bytes();
    return bytes.find("$" + std::string(name)) != bytes.npos ||
           bytes.find("${" + std::string(name)) != bytes.npos;
  });
}

void check_misspelt(CheckContext& context, const Observation& seen) {
  const std::string_view meant = variable_meant_by(seen.name);
  if (meant.empty() || is_read(context, seen.name)) return;
  if (text::is_same_but_for_case(seen.name, meant)) {
    // Windows knows no case, and other files have keys of their own.
    using text::Language;
    const Language language =
        context.timeline.files[context.event(seen.event).place.file]->language();
    const bool counts = language == Language::shell || language == Language::dockerfile ||
                        language == Language::python;
    const bool is_windows = context.target.platform == knowledge::Platform::windows;
    if (!counts || is_windows || is_expanded(context, seen.name)) return;
    return report(context, seen, meant, Applicability::unsafe,
                  {{"variable", std::string(seen.name)}, {"meant", std::string(meant)}});
  }
  // One letter of a long name is a slip; more may be a name of somebody's own.
  const bool is_slip = edit_distance(seen.name, meant) == 1;
  report(context, seen, meant, is_slip ? Applicability::safe : Applicability::unsafe,
         {{"variable", std::string(seen.name)}, {"meant", std::string(meant)}});
}

void check_renamed(CheckContext& context, const Observation& seen) {
  const knowledge::VariableRow* row = context.knowledge.variable(seen.name);
  if (row == nullptr || row->name != seen.name || row->replaced_by.empty()) return;
  const bool all = std::ranges::all_of(context.target.torch, [&](knowledge::Version release) {
    return release >= row->replaced_since;
  });
  if (!all || context.is_lost(seen)) return;
  // A release that nobody has stated may know the old name only.
  const bool is_safe = context.target.torch_stated && !is_read(context, seen.name);
  report(context, seen, row->replaced_by, is_safe ? Applicability::safe : Applicability::unsafe,
         {{"variable", std::string(seen.name)}, {"by", std::string(row->replaced_by)}});
}

}  // namespace

void check_variable_name(CheckContext& context) {
  const bool misspelt = context.page.name == "misspelt-variable";
  for (const Observation& seen : context.timeline.observations) {
    if (!is_write(seen)) continue;
    if (misspelt) {
      check_misspelt(context, seen);
    } else {
      check_renamed(context, seen);
    }
  }
}

}  // namespace vramlint::rules
