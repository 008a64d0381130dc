// SPDX-License-Identifier: MIT
#include "prefilter/words.h"

#include <algorithm>

namespace vramlint::prefilter {

namespace {

constexpr uint16_t is_anywhere = 1;
constexpr uint16_t is_own = 2;
constexpr uint16_t marks = is_anywhere | is_own;
constexpr int stem_shift = 2;

/// Of two stems that end at one place the longer one counts.
uint16_t joined(uint16_t left, uint16_t right) {
  const auto stem = static_cast<uint16_t>(std::max(left >> stem_shift, right >> stem_shift));
  return static_cast<uint16_t>(((left | right) & marks) | stem << stem_shift);
}

}  // namespace

WordSet::WordSet(const Wanted& wanted) : tells_(wanted.tells) {
  for (const auto& words : {wanted.anywhere, wanted.own, wanted.stems}) {
    for (const std::string_view word : words) {
      for (const char byte : word) {
        uint8_t& known = class_of_[static_cast<unsigned char>(byte)];
        if (known == 0) known = static_cast<uint8_t>(class_count_++);
      }
    }
  }
  next_.assign(class_count_, 0);
  accepts_.assign(1, 0);
  for (const std::string_view word : wanted.anywhere) add(word, is_anywhere);
  for (const std::string_view word : wanted.own) add(word, is_own);
  for (const std::string_view word : wanted.stems)
    add(word, static_cast<uint16_t>(word.size() << stem_shift));
  complete();
}

void WordSet::add(std::string_view word, uint16_t mark) {
  if (word.empty()) return;
  uint32_t state = 0;
  for (const char byte : word) {
    const uint32_t at = row_of(state) + class_of_[static_cast<unsigned char>(byte)];
    if (next_[at] == 0) {
      next_[at] = static_cast<uint32_t>(accepts_.size());
      accepts_.push_back(0);
      next_.resize(next_.size() + class_count_, 0);
    }
    state = next_[at];
  }
  accepts_[state] = joined(accepts_[state], mark);
}

/// Breadth first: a state's fallback is complete before its children need it.
void WordSet::complete() {
  std::vector<uint32_t> fallback(accepts_.size(), 0);
  std::vector<uint32_t> queue;
  for (uint32_t c = 0; c < class_count_; ++c) {
    if (next_[c] != 0) queue.push_back(next_[c]);
  }
  for (size_t i = 0; i < queue.size(); ++i) {
    const uint32_t state = queue[i];
    accepts_[state] = joined(accepts_[state], accepts_[fallback[state]]);
    for (uint32_t c = 0; c < class_count_; ++c) {
      uint32_t& child = next_[row_of(state) + c];
      const uint32_t through_fallback = next_[row_of(fallback[state]) + c];
      if (child == 0) {
        child = through_fallback;
      } else {
        fallback[child] = through_fallback;
        queue.push_back(child);
      }
    }
  }
}

Found WordSet::find_in(std::string_view bytes) const {
  return find(bytes, [](size_t) { return false; });
}

Found WordSet::find_all(std::string_view bytes, std::vector<uint32_t>& ends) const {
  return find(bytes, [&](size_t end) {
    ends.push_back(static_cast<uint32_t>(end));
    return true;
  });
}

template <typename Visit>
Found WordSet::find(std::string_view bytes, const Visit& goes_on_after) const {
  Found found;
  uint32_t state = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    state = next_[row_of(state) + class_of_[static_cast<unsigned char>(bytes[i])]];
    const uint16_t accepted = accepts_[state];
    if (accepted == 0) continue;
    if ((accepted & is_anywhere) != 0) {
      found.anywhere = true;
      if (!goes_on_after(i + 1)) return found;
    }
    if (found.own) continue;
    const size_t stem = accepted >> stem_shift;
    found.own = (accepted & is_own) != 0 || (stem != 0 && tells_(bytes, i + 1 - stem, i + 1));
  }
  return found;
}

}  // namespace vramlint::prefilter
