// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace vramlint::config {

/// Without blanks and line ends at both sides.
std::string_view trimmed(std::string_view text);

/// Goes through the lines of a text, which are given trimmed.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  /// False after the last line.
  bool next();
  /// The line as it stands, and without the blanks around it.
  std::string_view raw() const { return line_; }
  std::string_view text() const { return trimmed(line_); }
  int number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  int number_ = 0;
};

/// The number of the line that a place in a text stands on, from 1. For places in ascending order:
/// every byte is looked at once.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}

  int line_of(std::size_t place);

 private:
  std::string_view text_;
  std::size_t counted_ = 0;
  int line_ = 1;
};

/// Lower case, with `-` for `_` and `.`, as Python package names are compared.
bool is_package(std::string_view name, std::string_view wanted);

}  // namespace vramlint::config
