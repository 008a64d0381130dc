// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "knowledge/knowledge.h"
#include "support/result.h"

namespace vramlint::diagnostics {

/// Which rules speak. A selector is a code (`VRL101`), the beginning of one (`VRL1`), a rule's
/// name, a family, or `ALL`. The longer a selector the more it says: a rule that `ALL` selects and
/// its family ignores is off, one that its code selects again is on; between equals `ignore` wins.
class Selection {
 public:
  /// Everything is on.
  Selection() = default;

  /// Fails for a selector that matches no rule.
  static Result<Selection> make(const std::vector<std::string>& select,
                                const std::vector<std::string>& ignore,
                                const knowledge::Knowledge& knowledge);

  bool allows(std::string_view rule, std::string_view code, std::string_view family) const;
  bool allows(const Diagnostic& finding) const {
    return allows(finding.rule, finding.code, finding.family);
  }

 private:
  std::vector<std::string> select_{"ALL"};
  std::vector<std::string> ignore_;
};

}  // namespace vramlint::diagnostics
