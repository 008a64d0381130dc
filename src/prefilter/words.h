// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace vramlint::prefilter {

/// Which kinds of words occur.
struct Found {
  bool anywhere = false;
  bool own = false;
};

/// What to look for.
struct Wanted {
  std::span<const std::string_view> anywhere;
  std::span<const std::string_view> own;
  /// The beginnings of longer words; each counts as one of `own` if `tells` says so of the bytes
  /// and of where it stands in them.
  std::span<const std::string_view> stems;
  std::function<bool(std::string_view bytes, size_t begin, size_t end)> tells;
};

/// A set of words, searched for in bytes all at once: one step a byte, however many words. A word
/// may stand inside a longer one; the prefilter may say yes too often, never no too often.
class WordSet {
 public:
  explicit WordSet(const Wanted& wanted);
  explicit WordSet(std::span<const std::string_view> words) : WordSet(Wanted{words, {}, {}, {}}) {}

  /// Stops at the first word of `anywhere`.
  Found find_in(std::string_view bytes) const;
  bool any_in(std::string_view bytes) const { return find_in(bytes).anywhere; }
  /// Where the words of `anywhere` end, all of them, in ascending order; and whether there is one
  /// of `own`.
  Found find_all(std::string_view bytes, std::vector<uint32_t>& ends) const;

 private:
  template <typename Visit>
  Found find(std::string_view bytes, const Visit& goes_on_after) const;
  void add(std::string_view word, uint16_t mark);
  void complete();
  uint32_t row_of(uint32_t state) const { return state * class_count_; }

  // An Aho-Corasick automaton. Bytes that occur in no word share class 0, which keeps the table
  // small enough for the first-level cache.
  std::array<uint8_t, 256> class_of_{};
  uint32_t class_count_ = 1;
  std::vector<uint32_t> next_;     ///< state × class → state
  std::vector<uint16_t> accepts_;  ///< by state: marks; above them the length of a stem
  std::function<bool(std::string_view, size_t, size_t)> tells_;
};

}  // namespace vramlint::prefilter
