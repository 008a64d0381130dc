// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstddef>

#include "cli/explain.h"

namespace vramlint::cli {

namespace {

using output::Paint;
using output::Style;

constexpr std::string_view fence = "```";
constexpr std::string_view rule_block = "toml rule";

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return line;
}

/// The lines of a fence up to its end, set in; what comes after the language in its first line
/// (`fixed`) says what kind of example it is.
std::string fence_text(std::string_view info, std::string_view& rest, Style style) {
  std::string text;
  const std::size_t blank = info.find(' ');
  if (blank != std::string_view::npos) {
    text +=
        "    " + painted(fmt::format("({})", info.substr(blank + 1)), Paint::cyan, style) + "\n";
  }
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (line.starts_with(fence)) break;
    text += line.empty() ? "\n" : fmt::format("    {}\n", line);
  }
  return info.starts_with(rule_block) ? std::string() : text;
}

/// What `validate` has to see for the fix to hold.
std::string proof_text(const knowledge::RulePage& page, const knowledge::Knowledge& knowledge) {
  std::string text;
  for (const std::string_view name : page.confirms) {
    const knowledge::CriterionRow* row = knowledge.criterion(name);
    if (row == nullptr) continue;
    const std::string margin =
        row->margin > 0.01 ? fmt::format(", by {:.0f} % at least", row->margin * 100) : "";
    text += fmt::format("`vramlint validate` confirms the fix by {}: {}{}\n", name, row->summary,
                        margin);
  }
  if (!page.unconfirmed.empty()) {
    text += fmt::format("not confirmed by `vramlint validate`: {}\n", page.unconfirmed);
  }
  return text;
}

}  // namespace

std::string rules_table(const std::vector<const knowledge::RulePage*>& pages) {
  std::size_t width = 0;
  for (const knowledge::RulePage* page : pages) width = std::max(width, page->name.size());
  std::string text;
  for (const knowledge::RulePage* page : pages) {
    text += fmt::format("{}  {:<{}}  {:<11}  {:<7}  {}\n", page->code, page->name, width,
                        page->family, page->severity, page->summary);
  }
  return text;
}

std::string page_text(const knowledge::RulePage& page, const knowledge::Knowledge& knowledge,
                      Style style) {
  std::string text = painted(fmt::format("{} ({})", page.name, page.code), Paint::bold, style) +
                     fmt::format("\n{}, {}{}\n", page.family, page.severity,
                                 page.fix.empty() ? "" : fmt::format(", fix: {}", page.fix));
  text += proof_text(page, knowledge);
  std::string_view rest = page.text;
  bool after_blank = false;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    std::string shown;
    if (line.starts_with("# ")) continue;  // the name, said above
    if (line.starts_with(fence)) {
      shown = fence_text(line.substr(fence.size()), rest, style);
    } else if (line.starts_with("#")) {
      const std::size_t title = line.find_first_not_of("# ");
      if (title != std::string_view::npos) {
        shown = painted(line.substr(title), Paint::bold, style) + "\n";
      }
    } else {
      shown = std::string(line) + "\n";
    }
    // What was left out leaves its blank lines behind: one is enough.
    const bool blank = shown == "\n";
    if (!shown.empty() && !(blank && after_blank)) text += shown;
    if (!shown.empty()) after_blank = blank;
  }
  return text;
}

}  // namespace vramlint::cli
