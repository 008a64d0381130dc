// SPDX-License-Identifier: MIT
// One line a finding, for terminals, `grep` and editors' error lists.
#include <fmt/format.h>

#include "output/format.h"
#include "output/summary.h"

namespace vramlint::output {

std::string write_concise(const Report& report, Style style) {
  std::string text;
  for (const diagnostics::Diagnostic& finding : report.diagnostics) {
    text += headline(finding, style);
  }
  return text + summary(report, style);
}

}  // namespace vramlint::output
