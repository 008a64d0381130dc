// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace vramlint::config {

/// A file's name with up to two `*`. Taken apart once: each name of a folder is held against
/// dozens.
class NamePattern {
 public:
  /// Matches nothing.
  constexpr NamePattern() = default;

  constexpr NamePattern(const char* pattern) : text_(pattern) {
    const std::string_view text = text_;
    const std::size_t first = text.find('*');
    is_whole_ = first == std::string_view::npos;
    front_ = text.substr(0, first);
    if (is_whole_) return;
    const std::size_t last = text.rfind('*');
    if (last > first) middle_ = text.substr(first + 1, last - first - 1);
    end_ = text.substr(last + 1);
  }

  /// As it is written.
  constexpr std::string_view text() const { return text_; }

  constexpr bool matches(std::string_view name) const {
    if (is_whole_) return !text_.empty() && name == text_;
    if (!name.starts_with(front_)) return false;
    name.remove_prefix(front_.size());
    if (!name.ends_with(end_)) return false;
    name.remove_suffix(end_.size());
    return middle_.empty() || name.find(middle_) != std::string_view::npos;
  }

 private:
  std::string_view text_;
  std::string_view front_;
  std::string_view middle_;
  std::string_view end_;
  bool is_whole_ = true;
};

}  // namespace vramlint::config
