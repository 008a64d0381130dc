// SPDX-License-Identifier: MIT
#include "diagnostics/selection.h"

#include <algorithm>
#include <optional>

#include "support/nearest_name.h"

namespace vramlint::diagnostics {

namespace {

/// How narrowly a selector means a rule; 0 when it doesn't mean it at all.
int rank(std::string_view selector, std::string_view rule, std::string_view code,
         std::string_view family) {
  if (selector == rule || selector == code) return 1000;
  if (selector == "ALL") return 1;
  if (selector == family) return 2;
  const bool is_prefix = !selector.empty() && code.substr(0, selector.size()) == selector;
  return is_prefix ? 2 + static_cast<int>(selector.size()) : 0;
}

int best_rank(const std::vector<std::string>& selectors, std::string_view rule,
              std::string_view code, std::string_view family) {
  int best = 0;
  for (const std::string& selector : selectors) {
    best = std::max(best, rank(selector, rule, code, family));
  }
  return best;
}

std::optional<Error> check_selectors(const std::vector<std::string>& selectors,
                                     const knowledge::Knowledge& knowledge) {
  std::vector<std::string_view> names{"ALL"};
  for (const knowledge::RulePage& page : knowledge.pages()) {
    names.insert(names.end(), {page.name, page.code, page.family});
  }
  for (const std::string& selector : selectors) {
    const auto meant = [&](const knowledge::RulePage& page) {
      return rank(selector, page.name, page.code, page.family) > 0;
    };
    if (selector == "ALL" || std::ranges::any_of(knowledge.pages(), meant)) continue;
    Error error;
    error.message = "no rule, code or family is called `" + selector + "`";
    error.advice = did_you_mean(selector, names);
    if (error.advice.empty()) error.advice = "`vramlint rules` lists them";
    return error;
  }
  return std::nullopt;
}

}  // namespace

Result<Selection> Selection::make(const std::vector<std::string>& select,
                                  const std::vector<std::string>& ignore,
                                  const knowledge::Knowledge& knowledge) {
  if (std::optional<Error> error = check_selectors(select, knowledge)) return *error;
  if (std::optional<Error> error = check_selectors(ignore, knowledge)) return *error;
  Selection selection;
  if (!select.empty()) selection.select_ = select;
  selection.ignore_ = ignore;
  return selection;
}

bool Selection::allows(std::string_view rule, std::string_view code,
                       std::string_view family) const {
  return best_rank(select_, rule, code, family) > best_rank(ignore_, rule, code, family);
}

}  // namespace vramlint::diagnostics
