// SPDX-License-Identifier: MIT
#pragma once

#include "diagnostics/comments.h"

namespace vramlint::diagnostics {

/// The comments of a file that launches programs, as its language has them.
CommentScan scan_launch_comments(const text::Source& source);

/// Whether a comment may stand behind something on its line.
bool has_trailing_comments(text::Language language);

}  // namespace vramlint::diagnostics
