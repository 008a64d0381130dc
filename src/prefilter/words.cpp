// SPDX-License-Identifier: MIT
#include "prefilter/words.h"

namespace vramlint::prefilter {

WordSet::WordSet(std::span<const std::string_view> words) {
  for (const std::string_view word : words) {
    for (const char byte : word) {
      uint8_t& known = class_of_[static_cast<unsigned char>(byte)];
      if (known == 0) known = static_cast<uint8_t>(class_count_++);
    }
  }
  next_.assign(class_count_, 0);
  accepts_.assign(1, 0);
  for (const std::string_view word : words) {
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
    accepts_[state] = word.empty() ? 0 : 1;
  }
  // Breadth first: a state's fallback is complete before its children need it.
  std::vector<uint32_t> fallback(accepts_.size(), 0);
  std::vector<uint32_t> queue;
  for (uint32_t c = 0; c < class_count_; ++c) {
    if (next_[c] != 0) queue.push_back(next_[c]);
  }
  for (size_t i = 0; i < queue.size(); ++i) {
    const uint32_t state = queue[i];
    accepts_[state] |= accepts_[fallback[state]];
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

bool WordSet::any_in(std::string_view bytes) const {
  uint32_t state = 0;
  for (const char byte : bytes) {
    state = next_[row_of(state) + class_of_[static_cast<unsigned char>(byte)]];
    if (accepts_[state] != 0) return true;
  }
  return false;
}

}  // namespace vramlint::prefilter
