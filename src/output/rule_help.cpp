// SPDX-License-Identifier: MIT
#include "output/rule_help.h"

#include <string_view>

namespace vramlint::output {

namespace {

constexpr std::string_view heading = "\n## ";
constexpr std::string_view cases = "\n## Cases\n";

}  // namespace

std::string rule_help(const knowledge::RulePage& page) {
  std::string_view text = page.text;
  text = text.substr(0, text.find(cases));
  const std::size_t begin = text.find(heading);
  if (begin == std::string_view::npos) return std::string(page.summary);
  text.remove_prefix(begin + 1);
  while (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text) + "\n";
}

}  // namespace vramlint::output
