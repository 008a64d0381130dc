// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "knowledge/knowledge.h"
#include "knowledge/target.h"
#include "lsp/client.h"
#include "lsp/markup.h"
#include "lsp/protocol.h"
#include "text/source.h"
#include "text/span.h"

namespace vramlint::lsp {

/// What is known about the word at a place.
struct Hover {
  std::string text;
  text::Span span;  ///< of the word
};

/// About a key or value in an allocator string, a variable, a call, a method, or a rule that a
/// comment names; nothing for all else.
std::optional<Hover> hover_at(const text::Source& source, uint32_t offset,
                              const knowledge::Target& target,
                              const knowledge::Knowledge& knowledge, Markup markup);

/// The result of `textDocument/hover`.
Json hover_json(const Hover& hover, const text::Source& source, const Client& client);

}  // namespace vramlint::lsp
