// SPDX-License-Identifier: MIT
#include "lint/interest.h"

#include <algorithm>

#include "diagnostics/suppressions.h"
#include "rules/check.h"

namespace vramlint::lint {

rules::Interest interest_of(const config::Project& project,
                            std::optional<diagnostics::Severity> fail_level,
                            const knowledge::Knowledge& knowledge) {
  using diagnostics::Severity;
  const Severity shown = std::min(project.level, fail_level.value_or(project.level));
  const auto pages = knowledge.pages();
  /// What a finding of the page counts as.
  const auto counted = [&](const knowledge::RulePage& page, Severity severity) {
    diagnostics::Diagnostic finding;
    finding.rule = page.name;
    finding.code = page.code;
    finding.family = page.family;
    finding.severity = severity;
    return config::severity_in(project.settings, finding);
  };
  const auto is_shown = [&](const knowledge::RulePage& page, Severity severity) {
    return project.selection.allows(page.name, page.code, page.family) &&
           counted(page, severity) >= shown;
  };
  const bool asks_for_use = std::ranges::any_of(pages, [&](const knowledge::RulePage& page) {
    const bool is_about_comments =
        page.name == diagnostics::unused_rule || page.name == diagnostics::blanket_rule;
    return is_about_comments && is_shown(page, rules::severity_named(page.severity));
  });
  rules::Interest interest;
  for (const knowledge::RulePage& page : pages) {
    const Severity most = rules::severity_named(page.severity);
    uint8_t least = rules::Interest::nothing;
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
      if (severity <= most && (asks_for_use || is_shown(page, severity)))
        least = static_cast<uint8_t>(severity);
    }
    interest.least.push_back(least);
  }
  return interest;
}

}  // namespace vramlint::lint
