// SPDX-License-Identifier: MIT
#include "lsp/hover.h"

#include <algorithm>
#include <vector>

#include "lsp/cursor.h"
#include "output/rule_help.h"
#include "settings/pieces.h"

namespace vramlint::lsp {

namespace {

using output::RowSection;
using Sections = std::vector<RowSection>;

/// The release that the rows are held against: the newest one, where the project names any.
std::optional<knowledge::Version> release_of(const knowledge::Target& target) {
  if (!target.torch_stated || target.torch.empty()) return std::nullopt;
  return target.torch.back();
}

bool is_variable_name(std::string_view word) {
  return word.size() > 3 && word.find('_') != std::string_view::npos &&
         std::ranges::none_of(word, [](char byte) { return byte >= 'a' && byte <= 'z'; });
}

std::optional<Hover> about(const Sections& sections, text::Span span) {
  if (sections.empty()) return std::nullopt;
  return Hover{markdown_of(sections), span};
}

std::optional<Hover> about_rule(const Cursor& cursor, const knowledge::Knowledge& knowledge) {
  const text::Span word = word_at(cursor, true);
  const knowledge::RulePage* page = knowledge.page(cursor.source.slice(word));
  if (page == nullptr) return std::nullopt;
  const std::string title = "**" + std::string(page->name) + "** (" + std::string(page->code) +
                            ", " + std::string(page->severity) + ")";
  return Hover{title + "\n\n" + output::rule_help(*page), word};
}

std::optional<Hover> about_key(const Cursor& cursor, const AllocatorPlace& place,
                               std::optional<knowledge::Version> torch,
                               const knowledge::Knowledge& knowledge) {
  const std::string_view string = cursor.source.slice(place.string);
  const uint32_t at = cursor.offset - place.string.begin;
  for (const settings::Piece& piece :
       settings::split_pieces(string, knowledge.allocator_tables().keys)) {
    if (at < piece.whole.begin || at > piece.whole.end) continue;
    const text::Span span{place.string.begin + piece.whole.begin,
                          place.string.begin + piece.whole.end};
    return about(output::sections_about(settings::slice(string, piece.key), knowledge, torch),
                 span);
  }
  return std::nullopt;
}

/// `x.cuda` when nobody knows what `x` is: the method of tensors and modules.
Sections about_method(std::string_view dotted, const knowledge::Knowledge& knowledge,
                      std::optional<knowledge::Version> torch) {
  const std::size_t dot = dotted.rfind('.');
  if (dot == std::string_view::npos || knowledge.method(dotted.substr(dot + 1)) == nullptr)
    return {};
  Sections sections = output::sections_about(dotted.substr(dot + 1), knowledge, torch);
  std::erase_if(sections, [](const RowSection& each) { return !each.kind.starts_with("method"); });
  return sections;
}

}  // namespace

std::string markdown_of(const Sections& sections) {
  std::string text;
  for (const RowSection& section : sections) {
    if (!text.empty()) text += "\n---\n\n";
    text += "**`" + section.name + "`** (" + section.kind + ")\n";
    if (!section.summary.empty()) text += "\n" + section.summary + "\n";
    if (!section.lines.empty()) text += "\n";
    for (const auto& [label, words] : section.lines) {
      text += "- *" + std::string(label) + "*: " + words + "\n";
    }
  }
  return text;
}

std::optional<Hover> hover_at(const text::Source& source, uint32_t offset,
                              const knowledge::Target& target,
                              const knowledge::Knowledge& knowledge) {
  const Cursor cursor = cursor_at(source, offset);
  if (cursor.in_comment) return about_rule(cursor, knowledge);
  const std::optional<knowledge::Version> torch = release_of(target);
  if (const std::optional<AllocatorPlace> place = allocator_string_at(cursor, knowledge)) {
    if (std::optional<Hover> hover = about_key(cursor, *place, torch, knowledge)) return hover;
  }
  const text::Span word = word_at(cursor);
  const std::string_view name = source.slice(word);
  if (is_variable_name(name) && knowledge.variable(name) != nullptr) {
    return about(output::sections_about(name, knowledge, torch), word);
  }
  if (source.language() != text::Language::python) return std::nullopt;
  const std::string dotted = dotted_name_at(cursor);
  if (dotted.find('.') == std::string::npos) return std::nullopt;
  Sections sections = output::sections_about(dotted, knowledge, torch);
  if (sections.empty()) sections = about_method(dotted, knowledge, torch);
  return about(sections, word);
}

}  // namespace vramlint::lsp
