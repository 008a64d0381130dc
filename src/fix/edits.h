// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"

// Edits of one text: which go together, what they make of it, and where a place ends up.

namespace vramlint::fix {

/// Whether the two can't be made at once: their spans overlap, or one inserts where the other
/// begins or ends, so that nobody could say what comes first.
bool conflict(const diagnostics::Edit& left, const diagnostics::Edit& right);

/// The edits of one file, in the order of their places. No two of them conflict.
class FileEdits {
 public:
  /// False, and nothing is added, when the edit conflicts with one that is there.
  bool add(const diagnostics::Edit& edit);
  bool fits(const diagnostics::Edit& edit) const;
  bool empty() const { return edits_.empty(); }
  const std::vector<diagnostics::Edit>& all() const { return edits_; }

  /// The text after all of them. Bytes outside their spans stay as they are; lines that an edit
  /// brings along end as those around it do.
  std::string made_of(std::string_view bytes) const;

  /// Where a byte of the old text is in the new one; of replaced bytes, the beginning of what has
  /// taken their place.
  uint32_t moved(uint32_t offset, std::string_view bytes) const;

 private:
  std::vector<diagnostics::Edit> edits_;
};

/// `text` with its line ends written as those of `bytes` near `at`.
std::string with_line_ends_of(std::string_view bytes, uint32_t at, std::string_view text);

}  // namespace vramlint::fix
