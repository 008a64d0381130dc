// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "knowledge/knowledge.h"
#include "knowledge/target.h"
#include "output/row_sections.h"
#include "text/source.h"
#include "text/span.h"

namespace vramlint::lsp {

/// What is known about the word at a place.
struct Hover {
  std::string markdown;
  text::Span span;  ///< of the word
};

/// About a key or value in an allocator string, a variable, a call, a method, or a rule that a
/// comment names; nothing for all else.
std::optional<Hover> hover_at(const text::Source& source, uint32_t offset,
                              const knowledge::Target& target,
                              const knowledge::Knowledge& knowledge);

/// Rows of the tables as Markdown.
std::string markdown_of(const std::vector<output::RowSection>& sections);

}  // namespace vramlint::lsp
