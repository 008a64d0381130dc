// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/span.h"

namespace vramlint::syntax {

/// What the first word of a top-level stretch of Python promises.
enum class BlockShape : uint8_t { statement, import, function, class_ };

struct TopLevelBlock {
  text::Span span;
  BlockShape shape = BlockShape::statement;
  bool decorated = false;
  text::Span name;  ///< of a function or class
  /// Has so many lines that say nothing that it must be parsed without them: from each of them,
  /// tree-sitter-python looks ahead over all that follow.
  bool crowded = false;
};

/// Cuts Python into the stretches that begin in column 0, in one pass over the bytes: enough to
/// know strings, brackets and continued lines, nothing more. Clauses (`else:`, `except:`) and
/// decorators stay with their statement. Broken text gives blocks too; the parser says what is
/// wrong in them.
std::vector<TopLevelBlock> top_level_blocks(std::string_view bytes);

/// The same text, with blanks in place of lines that hold only a comment and of the backslashes
/// that continue a line.
std::string without_idle_lines(std::string_view bytes);

}  // namespace vramlint::syntax
