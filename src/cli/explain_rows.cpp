// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "cli/explain.h"
#include "output/row_sections.h"

namespace vramlint::cli {

using output::Paint;

std::string rows_text(std::string_view name, const knowledge::Knowledge& knowledge,
                      std::optional<knowledge::Version> torch, output::Style style) {
  std::string text;
  for (const output::RowSection& section : output::sections_about(name, knowledge, torch)) {
    if (!text.empty()) text += "\n";
    text += output::painted(section.name, Paint::bold, style) +
            fmt::format(" ({})\n", name_of(section.kind));
    if (!section.summary.empty()) text += fmt::format("  {}\n", section.summary);
    for (const auto& [label, words] : section.lines) {
      const std::string padded = fmt::format("{:<9}", label);
      text += fmt::format("  {} {}\n", output::painted(padded, Paint::cyan, style), words);
    }
  }
  return text;
}

}  // namespace vramlint::cli
