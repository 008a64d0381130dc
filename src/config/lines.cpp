// SPDX-License-Identifier: MIT
#include "config/lines.h"

#include <algorithm>
#include <cctype>

namespace vramlint::config {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

bool Lines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line_ = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  return true;
}

int LineCounter::line_of(std::size_t place) {
  place = std::min(place, text_.size());
  for (; counted_ < place; ++counted_) line_ += text_[counted_] == '\n' ? 1 : 0;
  return line_;
}

bool is_package(std::string_view name, std::string_view wanted) {
  return std::equal(name.begin(), name.end(), wanted.begin(), wanted.end(),
                    [](char got, char want) {
                      const char folded = got == '_' || got == '.' ? '-' : got;
                      return std::tolower(static_cast<unsigned char>(folded)) == want;
                    });
}

}  // namespace vramlint::config
