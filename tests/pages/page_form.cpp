// SPDX-License-Identifier: MIT
//
// What every page has, whatever its rule is about.
#include <algorithm>

#include "case_runner.h"

namespace vramlint::pages {
namespace {

bool holds_word(std::string_view text, std::string_view word) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || letters.find(text[at - 1]) == std::string_view::npos;
    const bool ends = end == text.size() || letters.find(text[end]) == std::string_view::npos;
    if (begins && ends) return true;
  }
  return false;
}

void check_wording(std::string_view what, std::string_view text, std::vector<std::string>& faults) {
  const std::string name(what);
  if (text.find('\n') != std::string_view::npos) faults.push_back(name + " has several lines");
  if (text.ends_with('.')) faults.push_back(name + " ends with a full stop");
  if (std::count(text.begin(), text.end(), '`') % 2 != 0)
    faults.push_back(name + " has an odd backtick");
  for (const std::string_view word : {"bad", "should", "please", "Please"}) {
    if (holds_word(text, word)) faults.push_back(name + " says `" + std::string(word) + "`");
  }
}

}  // namespace

std::vector<std::string> check_form(const Page& page, const knowledge::RulePage& rule) {
  static const std::vector<std::string> wanted = {"What it reports", "Why it matters",
                                                  "What to do",      "When it is silent",
                                                  "Fix safety",      "Cases"};
  std::vector<std::string> faults = page.faults;
  if (page.title != rule.name) faults.push_back("the title is not the name of the file");
  if (!page.has_rule_block) faults.push_back("no `toml rule` block under the title");
  if (page.headings != wanted) {
    std::string list;
    for (const std::string& heading : wanted) list += "\n  ## " + heading;
    faults.push_back("the headings of a page are, in this order:" + list);
  }
  const auto fires = [&](const PageCase& each) {
    return std::any_of(each.expected.begin(), each.expected.end(),
                       [&](const Place& place) { return place.rule == rule.name; });
  };
  const auto is_silent = [](const PageCase& each) { return each.expected.empty(); };
  if (std::none_of(page.cases.begin(), page.cases.end(), fires)) {
    faults.push_back("no case in which the rule fires");
  }
  if (std::none_of(page.cases.begin(), page.cases.end(), is_silent)) {
    faults.push_back("no case in which nothing is reported");
  }
  const auto is_fixed = [](const PageCase& each) { return !each.fixed.empty(); };
  const bool shows_fix = std::any_of(page.cases.begin(), page.cases.end(), is_fixed);
  const bool is_made = rule.fix == "safe" || rule.fix == "unsafe";
  if (is_made && !shows_fix) faults.push_back("no case is followed by a fence marked `fixed`");
  if (!is_made && shows_fix) faults.push_back("a case is fixed, and `fix` does not say how safely");
  check_wording("the message", rule.message, faults);
  check_wording("the help", rule.help, faults);
  return faults;
}

}  // namespace vramlint::pages
