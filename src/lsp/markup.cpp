// SPDX-License-Identifier: MIT
#include "lsp/markup.h"

#include <utility>

#include "output/rule_help.h"

namespace vramlint::lsp {

namespace {

/// The sign that stands on both sides of a text to mark it, where marks are read.
std::string marked(std::string_view text, std::string_view sign, Markup markup) {
  if (markup == Markup::plain) return std::string(text);
  return std::string(sign) + std::string(text) + std::string(sign);
}

}  // namespace

Markup markup_in(const Json& list) {
  if (!list.is_array()) return Markup::plain;
  for (const Json& each : list) {
    if (each == "markdown") return Markup::markdown;
    if (each == "plaintext") return Markup::plain;
  }
  return Markup::plain;
}

std::string text_of(const std::vector<output::RowSection>& sections, Markup markup) {
  std::string text;
  for (const output::RowSection& section : sections) {
    if (!text.empty()) text += markup == Markup::plain ? "\n" : "\n---\n\n";
    text += marked(marked(section.name, "`", markup), "**", markup) + " (" +
            std::string(name_of(section.kind)) + ")\n";
    if (!section.summary.empty()) text += "\n" + section.summary + "\n";
    if (!section.lines.empty()) text += "\n";
    for (const auto& [label, words] : section.lines) {
      text += "- " + marked(label, "*", markup) + ": " + words + "\n";
    }
  }
  return text;
}

std::string text_of(const knowledge::RulePage& page, Markup markup) {
  return marked(page.name, "**", markup) + " (" + std::string(page.code) + ", " +
         std::string(page.severity) + ")\n\n" + output::rule_help(page);
}

Json markup_json(std::string text, Markup markup) {
  const char* kind = markup == Markup::plain ? "plaintext" : "markdown";
  return {{"kind", kind}, {"value", std::move(text)}};
}

}  // namespace vramlint::lsp
