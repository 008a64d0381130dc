// SPDX-License-Identifier: MIT
#pragma once

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
};

/// Cuts Python into the stretches that begin in column 0, in one pass over the bytes: enough to know
/// strings, brackets and continued lines, nothing more. Clauses (`else:`, `except:`) and decorators
/// stay with their statement. Broken text gives blocks too; the parser says what is wrong in them.
std::vector<TopLevelBlock> top_level_blocks(std::string_view bytes);

}  // namespace vramlint::syntax
