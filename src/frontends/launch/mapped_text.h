// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/span.h"

namespace vramlint::frontends {

/// Text taken out of a file, each byte with its place there: the body of a `run: |`, a Dockerfile's
/// `RUN` without the comments between its lines, the string behind `bash -c`.
class MappedText {
 public:
  MappedText() = default;
  MappedText(std::string_view bytes, uint32_t origin) { append(bytes, origin); }

  void append(std::string_view bytes, uint32_t origin) {
    if (bytes.empty()) return;
    const auto at = static_cast<uint32_t>(text_.size());
    const bool goes_on = !runs_.empty() && origin - runs_.back().second == at - runs_.back().first;
    if (!goes_on) runs_.emplace_back(at, origin);
    text_ += bytes;
  }

  void append(const MappedText& other) {
    for (size_t i = 0; i < other.runs_.size(); ++i) {
      const auto [at, origin] = other.runs_[i];
      const size_t end = i + 1 < other.runs_.size() ? other.runs_[i + 1].first : other.text_.size();
      append(std::string_view(other.text_).substr(at, end - at), origin);
    }
  }

  std::string_view text() const { return text_; }
  const std::vector<std::pair<uint32_t, uint32_t>>& runs() const { return runs_; }

  uint32_t origin(size_t at) const { return origin_in(runs_, at); }
  text::Span span(size_t begin, size_t end) const { return span_in(runs_, begin, end); }

  /// The place in the file of a byte of a text with these runs.
  static uint32_t origin_in(const std::vector<std::pair<uint32_t, uint32_t>>& runs, size_t at) {
    if (runs.empty()) return 0;
    auto run = std::upper_bound(runs.begin(), runs.end(), at,
                                [](size_t place, const auto& each) { return place < each.first; });
    if (run != runs.begin()) --run;
    return run->second + static_cast<uint32_t>(at) - run->first;
  }
  static text::Span span_in(const std::vector<std::pair<uint32_t, uint32_t>>& runs, size_t begin,
                            size_t end) {
    const uint32_t first = origin_in(runs, begin);
    return {first, end > begin ? std::max(first, origin_in(runs, end - 1) + 1) : first};
  }

 private:
  std::string text_;
  std::vector<std::pair<uint32_t, uint32_t>> runs_;  ///< place in the text, place in the file
};

}  // namespace vramlint::frontends
