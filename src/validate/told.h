// SPDX-License-Identifier: MIT
// What a program said, and how it is read.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace vramlint::validate {

/// The last line that is not empty.
inline std::string_view last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::size_t begin = text.rfind('\n');
  return begin == std::string_view::npos ? text : text.substr(begin + 1);
}

/// A member that is a string; empty for any other, and for one that is not there.
inline std::string told_text(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace vramlint::validate
