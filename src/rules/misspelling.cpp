// SPDX-License-Identifier: MIT
#include "rules/misspelling.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

#include "knowledge/knowledge.h"
#include "support/nearest_name.h"
#include "text/letter_case.h"

namespace vramlint::rules {
namespace {

/// Shorter names are near to too many others.
constexpr size_t shortest = 10;

std::vector<std::string_view> words_of(std::string_view name) {
  std::vector<std::string_view> words;
  while (!name.empty()) {
    const size_t end = std::min(name.find('_'), name.size());
    words.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return words;
}

/// `ALLOC` and `ALLOCATOR`.
bool is_spelt_out(std::string_view word, std::string_view meant) {
  return word == meant || (meant.size() >= 4 && word.starts_with(meant)) ||
         (word.size() >= 4 && meant.starts_with(word));
}

bool has_same_words(std::string_view name, std::string_view meant) {
  if (std::ranges::count(name, '_') != std::ranges::count(meant, '_')) return false;
  std::vector<std::string_view> words = words_of(name);
  std::vector<std::string_view> others = words_of(meant);
  if (std::ranges::equal(words, others, is_spelt_out)) return true;
  std::ranges::sort(words);
  std::ranges::sort(others);
  return words == others;
}

/// A short word with two letters changed is another word: `MUSA` for `CUDA`, `XPU` for `MPS`.
bool has_other_word(std::string_view name, std::string_view meant) {
  constexpr size_t short_word = 4;
  const std::vector<std::string_view> words = words_of(name);
  const std::vector<std::string_view> others = words_of(meant);
  if (words.size() != others.size()) return false;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool is_short = std::min(words[i].size(), others[i].size()) <= short_word;
    if (is_short && edit_distance(words[i], others[i]) > 1 &&
        !std::ranges::is_permutation(words[i], others[i]))
      return true;
  }
  return false;
}

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view find_meant(std::string_view name) {
  if (name.size() < shortest || name.back() == '_') return {};
  const knowledge::Knowledge& knowledge = knowledge::Knowledge::builtin();
  std::string_view meant;
  const bool is_lower = name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
  const std::string upper = text::upper(name);
  const std::string_view prefix = name.substr(0, name.find('_') + 1);
  for (const knowledge::VariableRow& row : knowledge.variables()) {
    if (row.name == name) return {};
    if (is_lower && meant.empty() && upper == row.name) meant = row.name;
    // The first word is what the name was found by.
    if (!row.name.starts_with(prefix) || row.name.ends_with('*') || !meant.empty()) continue;
    if (row.name.size() < shortest) continue;
    const size_t most = row.name.size() >= 16 ? 2 : 1;
    const auto gap = static_cast<size_t>(
        std::abs(static_cast<long>(row.name.size()) - static_cast<long>(name.size())));
    const bool is_near =
        gap <= most && edit_distance(name, row.name) <= most && !has_other_word(name, row.name);
    if (is_near || has_same_words(name, row.name)) meant = row.name;
  }
  // `PYTORCH_ALLOC_CONF2` and the like are names of somebody's own.
  return is_number(words_of(name).back()) ? std::string_view() : meant;
}

}  // namespace

std::string_view variable_meant_by(std::string_view name) {
  // A module that every program of a project imports asks for the same few names each time.
  constexpr size_t most_known = 1000;
  thread_local std::unordered_map<std::string, std::string_view> known;
  if (known.size() >= most_known) known.clear();
  const auto [found, fresh] = known.try_emplace(std::string(name));
  if (fresh) found->second = find_meant(name);
  return found->second;
}

std::span<const std::string_view> variable_prefixes() {
  static const std::vector<std::string_view> prefixes = [] {
    std::vector<std::string_view> made;
    for (const knowledge::VariableRow& row : knowledge::Knowledge::builtin().variables()) {
      const size_t end = row.name.find('_');
      if (end == std::string_view::npos || row.name.size() < shortest) continue;
      const std::string_view prefix = row.name.substr(0, end + 1);
      if (std::ranges::find(made, prefix) == made.end()) made.push_back(prefix);
    }
    return made;
  }();
  return prefixes;
}

}  // namespace vramlint::rules
