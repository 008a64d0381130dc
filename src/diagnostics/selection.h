// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "knowledge/knowledge.h"
#include "support/result.h"

namespace vramlint::diagnostics {

/// The selector of every rule, and that of every rule but those that are on only when asked for.
inline constexpr std::string_view every_rule = "ALL";
inline constexpr std::string_view default_rules = "DEFAULT";

/// How narrowly a selector means the rule of a finding; 0 when it doesn't mean it at all.
int selector_rank(std::string_view selector, const Diagnostic& finding);

/// Why a word is no selector; nothing when it is one.
std::optional<Error> check_selector(const std::string& selector,
                                    const knowledge::Knowledge& knowledge);

/// Which rules speak. A selector is a code (`VRL101`), the beginning of one (`VRL1`), a rule's
/// name, a family, `ALL`, or `DEFAULT`. The longer a selector the more it says: a rule that `ALL`
/// selects and its family ignores is off, one that its code selects again is on; between equals
/// `ignore` wins.
class Selection {
 public:
  /// Everything is on.
  Selection() = default;

  /// `DEFAULT` stands for an empty `select`. Fails for a selector that matches no rule.
  static Result<Selection> make(const std::vector<std::string>& select,
                                const std::vector<std::string>& ignore,
                                const knowledge::Knowledge& knowledge);

  bool allows(std::string_view rule, std::string_view code, std::string_view family) const;
  bool allows(const Diagnostic& finding) const {
    return allows(finding.rule, finding.code, finding.family);
  }

 private:
  int best_rank(const std::vector<std::string>& selectors, std::string_view rule,
                std::string_view code, std::string_view family) const;

  std::vector<std::string> select_{std::string(every_rule)};
  std::vector<std::string> ignore_;
  std::vector<std::string_view> opt_in_;  ///< codes that `DEFAULT` does not mean
};

}  // namespace vramlint::diagnostics
