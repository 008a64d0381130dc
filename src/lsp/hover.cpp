// SPDX-License-Identifier: MIT
#include "lsp/hover.h"

#include <algorithm>
#include <vector>

#include "lsp/cursor.h"
#include "lsp/positions.h"
#include "output/row_sections.h"
#include "settings/pieces.h"

namespace vramlint::lsp {

namespace {

using output::RowKind;
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

std::optional<Hover> about(const Sections& sections, text::Span span, Markup markup) {
  if (sections.empty()) return std::nullopt;
  return Hover{text_of(sections, markup), span};
}

std::optional<Hover> about_rule(const Cursor& cursor, const knowledge::Knowledge& knowledge,
                                Markup markup) {
  const text::Span word = word_at(cursor, true);
  const knowledge::RulePage* page = knowledge.page(cursor.source.slice(word));
  if (page == nullptr) return std::nullopt;
  return Hover{text_of(*page, markup), word};
}

std::optional<Hover> about_key(const Cursor& cursor, text::Span place,
                               std::optional<knowledge::Version> torch,
                               const knowledge::Knowledge& knowledge, Markup markup) {
  const std::string_view string = cursor.source.slice(place);
  const uint32_t at = cursor.offset - place.begin;
  for (const settings::Piece& piece :
       settings::split_pieces(string, knowledge.allocator_tables().keys)) {
    if (at < piece.whole.begin || at > piece.whole.end) continue;
    const text::Span span{place.begin + piece.whole.begin, place.begin + piece.whole.end};
    return about(output::sections_about(settings::slice(string, piece.key), knowledge, torch), span,
                 markup);
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
  std::erase_if(sections, [](const RowSection& each) { return each.kind != RowKind::method; });
  return sections;
}

}  // namespace

std::optional<Hover> hover_at(const text::Source& source, uint32_t offset,
                              const knowledge::Target& target,
                              const knowledge::Knowledge& knowledge, Markup markup) {
  const Cursor cursor = cursor_at(source, offset);
  if (cursor.in_comment) return about_rule(cursor, knowledge, markup);
  const std::optional<knowledge::Version> torch = release_of(target);
  if (const std::optional<text::Span> place = allocator_string_at(cursor, knowledge)) {
    if (std::optional<Hover> hover = about_key(cursor, *place, torch, knowledge, markup))
      return hover;
  }
  const text::Span word = word_at(cursor);
  const std::string_view name = source.slice(word);
  if (is_variable_name(name) && knowledge.variable(name) != nullptr) {
    return about(output::sections_about(name, knowledge, torch), word, markup);
  }
  if (source.language() != text::Language::python) return std::nullopt;
  const std::string dotted = dotted_name_at(cursor);
  if (dotted.find('.') == std::string::npos) return std::nullopt;
  Sections sections = output::sections_about(dotted, knowledge, torch);
  if (sections.empty()) sections = about_method(dotted, knowledge, torch);
  return about(sections, word, markup);
}

Json hover_json(const Hover& hover, const text::Source& source, const Client& client) {
  return {{"contents", markup_json(hover.text, client.hover_markup)},
          {"range", json_of(range_of(source, hover.span, client.encoding))}};
}

}  // namespace vramlint::lsp
