// SPDX-License-Identifier: MIT
#include "config/glob.h"

#include <cstddef>
#include <vector>

namespace vramlint::config {

namespace {

/// One `[…]` of a pattern, starting at its `[`. `end` is set behind the `]`.
bool set_matches(std::string_view pattern, std::size_t at, char byte, std::size_t& end) {
  std::size_t i = at + 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool inside = false;
  const std::size_t first = i;
  while (i < pattern.size() && (pattern[i] != ']' || i == first)) {
    const bool is_range = i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']';
    const char last = is_range ? pattern[i + 2] : pattern[i];
    inside |= pattern[i] <= byte && byte <= last;
    i += is_range ? 3 : 1;
  }
  end = i + 1;
  return inside != negated;
}

/// One name against one part of a pattern. On a mismatch only the last `*` takes one byte more.
bool name_matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_name = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
      continue;
    }
    std::size_t next = p + 1;
    bool fits = p < pattern.size();
    if (fits && pattern[p] == '[') {
      fits = set_matches(pattern, p, name[n], next);
    } else if (fits) {
      fits = pattern[p] == '?' || pattern[p] == name[n];
    }
    if (fits) {
      p = next;
      ++n;
    } else if (star == std::string_view::npos) {
      return false;
    } else {
      p = star + 1;
      n = ++star_name;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p >= pattern.size();
}

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> names;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    if (!name.empty() && name != ".") names.push_back(name);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  }
  return names;
}

/// The names of a pattern against the first names of a path; `**` takes any number of names.
bool prefix_matches(const std::vector<std::string_view>& pattern,
                    const std::vector<std::string_view>& names) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t stars = std::string_view::npos;
  std::size_t stars_name = 0;
  while (p < pattern.size()) {
    if (pattern[p] == "**") {
      stars = p++;
      stars_name = n;
    } else if (n < names.size() && name_matches(pattern[p], names[n])) {
      ++p;
      ++n;
    } else if (stars == std::string_view::npos || stars_name >= names.size()) {
      return false;
    } else {
      p = stars + 1;
      n = ++stars_name;
    }
  }
  return true;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view path) {
  const std::vector<std::string_view> names = split(path);
  const bool anchored = pattern.substr(0, pattern.empty() ? 0 : pattern.size() - 1).find('/') !=
                        std::string_view::npos;
  const std::vector<std::string_view> parts = split(pattern);
  if (parts.empty()) return false;
  if (anchored) return prefix_matches(parts, names);
  for (const std::string_view name : names) {
    if (name_matches(parts.front(), name)) return true;
  }
  return false;
}

}  // namespace vramlint::config
