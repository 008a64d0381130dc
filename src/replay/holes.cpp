// SPDX-License-Identifier: MIT
#include "replay/holes.h"

#include <algorithm>

#include "replay/interpreter.h"

namespace vramlint::replay {
namespace {

/// A command is not longer, as people write them.
constexpr size_t longest_text = 1024;

}  // namespace

void add_with_holes(const Interpreter& python, Value value, std::string& into) {
  if (into.size() > longest_text) return;
  const bool is_partly_known =
      value.is(Kind::any_string) && value.certainty == Certainty::yes && value.payload >> 32 != 0;
  if (is_partly_known) {
    into += python.text_of(static_cast<model::NameId>(value.payload >> 32));
  } else if (!python.text_form(value, into)) {
    into += hole;
  }
}

Value with_holes(Interpreter& python, Value any_string, const std::string& text) {
  const bool says_something = text.find_first_not_of(hole) != std::string::npos;
  if (!says_something || text.size() > longest_text) return any_string;
  any_string.payload |= uint64_t{python.intern(text)} << 32;
  return any_string;
}

std::string with_holes_for_percents(std::string_view pattern) {
  std::string made;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      made += pattern[i];
      continue;
    }
    // `%(name)05.2f`
    if (i + 1 < pattern.size() && pattern[i + 1] == '(') i = pattern.find(')', i);
    i = std::min(pattern.find_first_not_of("#0- +.123456789*", std::min(i, pattern.size()) + 1),
                 pattern.size());
    made += i < pattern.size() && pattern[i] == '%' ? '%' : hole;
  }
  return made;
}

std::string with_holes_for_braces(std::string_view pattern) {
  std::string made;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const bool is_brace = pattern[i] == '{' || pattern[i] == '}';
    if (is_brace && i + 1 < pattern.size() && pattern[i + 1] == pattern[i]) {
      made += pattern[i++];
    } else if (pattern[i] == '{') {
      made += hole;
      i = std::min(pattern.find('}', i), pattern.size());
    } else {
      made += pattern[i];
    }
  }
  return made;
}

}  // namespace vramlint::replay
