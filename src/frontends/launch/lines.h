// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "text/utf8.h"

namespace vramlint::frontends {

/// A line without its end, and where it begins.
struct LaunchLine {
  std::string_view text;
  uint32_t begin = 0;
};

/// Goes through the lines of a text.
class LaunchLines {
 public:
  explicit LaunchLines(std::string_view bytes) : bytes_(bytes) {
    if (bytes.starts_with(text::byte_order_mark)) at_ = text::byte_order_mark.size();
  }

  bool next(LaunchLine& line) {
    if (at_ >= bytes_.size()) return false;
    const size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    line.begin = static_cast<uint32_t>(at_);
    line.text = bytes_.substr(at_, end - at_);
    if (line.text.ends_with('\r')) line.text.remove_suffix(1);
    at_ = std::min(end + 1, bytes_.size());
    return true;
  }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

/// Without blanks on both sides.
inline LaunchLine trimmed(LaunchLine line) {
  const size_t begin = std::min(line.text.find_first_not_of(" \t"), line.text.size());
  line.text.remove_prefix(begin);
  line.begin += static_cast<uint32_t>(begin);
  line.text = line.text.substr(0, line.text.find_last_not_of(" \t") + 1);
  return line;
}

}  // namespace vramlint::frontends
