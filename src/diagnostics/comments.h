// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "text/source.h"

namespace vramlint::diagnostics {

/// A comment from its `#` to the end of its line.
struct Comment {
  text::Span span;
  uint32_t line = 0;      ///< counts from 1
  bool own_line = false;  ///< nothing but blanks stands before it
};

/// The comments of a file, in order. A `#` inside a string is none. One pass over the bytes without
/// building a tree, so that a file without findings costs next to nothing.
std::vector<Comment> comments_of(const text::Source& source);

}  // namespace vramlint::diagnostics
