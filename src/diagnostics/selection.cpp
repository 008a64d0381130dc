// SPDX-License-Identifier: MIT
#include "diagnostics/selection.h"

#include <algorithm>

#include "support/nearest_name.h"

namespace vramlint::diagnostics {

namespace {

/// How narrowly a selector means a rule; 0 when it doesn't mean it at all.
int rank(std::string_view selector, std::string_view rule, std::string_view code,
         std::string_view family) {
  if (selector == rule || selector == code) return 1000;
  if (selector == every_rule || selector == default_rules) return 1;
  if (selector == family) return 2;
  const bool is_prefix = !selector.empty() && code.substr(0, selector.size()) == selector;
  return is_prefix ? 2 + static_cast<int>(selector.size()) : 0;
}

std::optional<Error> check_selectors(const std::vector<std::string>& selectors,
                                     const knowledge::Knowledge& knowledge) {
  for (const std::string& selector : selectors) {
    if (std::optional<Error> error = check_selector(selector, knowledge)) return error;
  }
  return std::nullopt;
}

}  // namespace

int selector_rank(std::string_view selector, const Diagnostic& finding) {
  return rank(selector, finding.rule, finding.code, finding.family);
}

std::optional<Error> check_selector(const std::string& selector,
                                    const knowledge::Knowledge& knowledge) {
  const auto meant = [&](const knowledge::RulePage& page) {
    return rank(selector, page.name, page.code, page.family) > 0;
  };
  if (std::ranges::any_of(knowledge.pages(), meant)) return std::nullopt;
  std::vector<std::string_view> names{every_rule, default_rules};
  for (const knowledge::RulePage& page : knowledge.pages()) {
    names.insert(names.end(), {page.name, page.code, page.family});
  }
  Error error;
  error.message = "no rule, code or family is called `" + selector + "`";
  error.advice = did_you_mean(selector, names);
  if (error.advice.empty()) error.advice = "`vramlint rules` lists them";
  return error;
}

Result<Selection> Selection::make(const std::vector<std::string>& select,
                                  const std::vector<std::string>& ignore,
                                  const knowledge::Knowledge& knowledge) {
  if (std::optional<Error> error = check_selectors(select, knowledge)) return *error;
  if (std::optional<Error> error = check_selectors(ignore, knowledge)) return *error;
  Selection selection;
  selection.select_ = select;
  if (select.empty()) selection.select_ = {std::string(default_rules)};
  selection.ignore_ = ignore;
  for (const knowledge::RulePage& page : knowledge.pages()) {
    if (page.opt_in) selection.opt_in_.push_back(page.code);
  }
  return selection;
}

int Selection::best_rank(const std::vector<std::string>& selectors, std::string_view rule,
                         std::string_view code, std::string_view family) const {
  int best = 0;
  for (const std::string& selector : selectors) {
    const bool left_out = selector == default_rules && std::ranges::count(opt_in_, code) > 0;
    if (!left_out) best = std::max(best, rank(selector, rule, code, family));
  }
  return best;
}

bool Selection::allows(std::string_view rule, std::string_view code,
                       std::string_view family) const {
  return best_rank(select_, rule, code, family) > best_rank(ignore_, rule, code, family);
}

}  // namespace vramlint::diagnostics
