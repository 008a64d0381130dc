// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "diagnostics/diagnostic.h"
#include "replay/timeline.h"
#include "rules/check.h"

namespace vramlint {

/// Turns places into files, lines and columns.
class Resolver {
 public:
  explicit Resolver(const replay::Timeline& timeline) : timeline_(timeline) {}

  const std::string& file(replay::Place place) const { return timeline_.files[place.file]->path(); }

  diagnostics::CellRange range(replay::Place place) const {
    return diagnostics::range_in(*timeline_.files[place.file], place.span);
  }

  diagnostics::Diagnostic diagnostic(const rules::RawFinding& finding) const {
    diagnostics::Diagnostic made;
    made.rule = finding.page->name;
    made.code = finding.page->code;
    made.family = finding.page->family;
    made.severity = finding.severity;
    made.message = finding.message;
    made.help = finding.help;
    made.file = file(finding.place);
    const diagnostics::CellRange there = range(finding.place);
    made.cell = there.cell;
    made.range = there.range;
    made.span = finding.place.span;
    made.torch = finding.torch;
    for (const rules::RelatedPlace& related : finding.related) {
      const diagnostics::CellRange other = range(related.place);
      made.related.push_back({file(related.place), other.range, related.message, other.cell});
    }
    if (finding.fix) made.fix = fix(*finding.fix);
    return made;
  }

 private:
  diagnostics::Fix fix(const rules::RawFix& raw) const {
    diagnostics::Fix made{raw.applicability, raw.title, {}};
    for (const rules::RawEdit& edit : raw.edits) {
      const diagnostics::CellRange there = range(edit.place);
      made.edits.push_back({file(edit.place), edit.place.span, there.range, edit.text, there.cell});
    }
    return made;
  }

  const replay::Timeline& timeline_;
};

}  // namespace vramlint
