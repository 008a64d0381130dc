// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace vramlint::prefilter {

/// A set of words, searched for in bytes all at once: one step a byte, however many words. A word
/// may stand inside a longer one; the prefilter may say yes too often, never no too often.
class WordSet {
 public:
  explicit WordSet(std::span<const std::string_view> words);

  /// Whether any of the words occurs.
  bool any_in(std::string_view bytes) const;

 private:
  uint32_t row_of(uint32_t state) const { return state * class_count_; }

  // An Aho-Corasick automaton. Bytes that occur in no word share class 0, which keeps the table
  // small enough for the first-level cache.
  std::array<uint8_t, 256> class_of_{};
  uint32_t class_count_ = 1;
  std::vector<uint32_t> next_;    ///< state × class → state
  std::vector<uint8_t> accepts_;  ///< by state
};

}  // namespace vramlint::prefilter
