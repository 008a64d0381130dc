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

/// Lines in a row between which no comment can stand: a string goes on over their ends, or a
/// backslash joins them. Both ends inclusive; `last` is the first on which a comment may follow.
struct JoinedLines {
  uint32_t first = 0;
  uint32_t last = 0;
};

struct CommentScan {
  std::vector<Comment> comments;    ///< in order
  std::vector<JoinedLines> joined;  ///< in order, apart from each other
  /// Texts of YAML below a `|` or `>`, from the line with that sign, which is the only one on which
  /// a comment is one whatever the text is for. In order, apart from each other.
  std::vector<JoinedLines> blocks;
  std::vector<JoinedLines> shells;  ///< cells of a notebook that a shell reads, in order
};

/// One pass over the bytes without building a tree, so that a file without findings costs next to
/// nothing. A `#` inside a string is no comment.
CommentScan scan_comments(const text::Source& source);

std::vector<Comment> comments_of(const text::Source& source);

}  // namespace vramlint::diagnostics
