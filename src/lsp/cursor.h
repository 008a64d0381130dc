// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "knowledge/knowledge.h"
#include "text/source.h"

// What stands around a place of a text, told from its line and a little before it: while somebody
// types, there is no more to go by.

namespace vramlint::lsp {

/// A place in its line. All spans count bytes of the text.
struct Cursor {
  const text::Source& source;
  uint32_t offset = 0;
  text::Span line;
  bool in_comment = false;
  std::optional<text::Span> string;  ///< the string around it, between its quotes; closed or not
};

/// An offset past the end counts as the end.
Cursor cursor_at(const text::Source& source, uint32_t offset);

/// The letters, digits and underscores around the place, and dashes where asked for.
text::Span word_at(const Cursor& cursor, bool with_dashes = false);

/// `torch.cuda.empty_cache` as far as the word at the place, with what the file calls its modules
/// spelt out. Empty in a string or comment.
std::string dotted_name_at(const Cursor& cursor);

/// The text in front of a string, less blanks and the letters that belong to it: up to some lines.
std::string_view text_before(const Cursor& cursor, text::Span string);

/// The allocator string that the place is in.
std::optional<text::Span> allocator_string_at(const Cursor& cursor,
                                              const knowledge::Knowledge& knowledge);

}  // namespace vramlint::lsp
