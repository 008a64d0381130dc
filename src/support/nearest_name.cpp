// SPDX-License-Identifier: MIT
#include "support/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace vramlint {

namespace {

/// Longer words are somebody's text, not a misspelt name; the table below grows with the square.
constexpr std::size_t longest_name = 80;

char lower(char letter) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

}  // namespace

// Damerau's distance.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::vector<std::size_t>> steps(left.size() + 1,
                                              std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = 0; i <= left.size(); ++i) steps[i][0] = i;
  for (std::size_t j = 0; j <= right.size(); ++j) steps[0][j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = lower(left[i - 1]) == lower(right[j - 1]) ? 0 : 1;
      steps[i][j] =
          std::min({steps[i - 1][j] + 1, steps[i][j - 1] + 1, steps[i - 1][j - 1] + replaced});
      const bool swapped = i > 1 && j > 1 && lower(left[i - 1]) == lower(right[j - 2]) &&
                           lower(left[i - 2]) == lower(right[j - 1]);
      if (swapped) steps[i][j] = std::min(steps[i][j], steps[i - 2][j - 2] + 1);
    }
  }
  return steps[left.size()][right.size()];
}

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names) {
  if (word.empty() || word.size() > longest_name) return {};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view name : names) {
    if (name.size() > longest_name) continue;
    const std::size_t steps = edit_distance(word, name);
    if (steps >= best_distance) continue;
    best = name;
    best_distance = steps;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> names) {
  const std::string_view name = nearest_name(word, names);
  if (name.empty()) return {};
  return "did you mean `" + std::string(name) + "`?";
}

}  // namespace vramlint
