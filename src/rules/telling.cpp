// SPDX-License-Identifier: MIT
#include "rules/telling.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "knowledge/names.h"
#include "rules/check.h"
#include "rules/misspelling.h"

namespace vramlint::rules {
namespace {

bool is_word_byte(char byte) {
  return byte == '_' || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z');
}

std::string_view word_at(std::string_view bytes, size_t begin) {
  size_t end = begin;
  while (end < bytes.size() && is_word_byte(bytes[end])) ++end;
  return bytes.substr(begin, end - begin);
}

/// Findings of these families are made of what stands in one file, whoever imports it.
bool is_complete_in_file(const knowledge::RulePage& page) {
  return page.family == "api" || page.family == "lifetime";
}

void add(std::vector<std::string_view>& to, std::string_view name) {
  if (name.ends_with('*')) name.remove_suffix(1);
  name.remove_prefix(name.rfind('.') + 1);
  if (!name.empty()) to.push_back(name);
}

/// Stems that live as long as the tables: `torch.cuda.` and `torch.cuda import` for each module
/// whose names are known, and the words that names of variables begin with.
const std::vector<std::string>& all_stems(const knowledge::Knowledge& knowledge) {
  static const std::vector<std::string> stems = [&] {
    std::vector<std::string> made;
    for (const knowledge::NameModuleRow& row : knowledge.name_modules()) {
      const std::string name(row.name);
      made.push_back(name + ".");
      made.push_back(name + " import");
      made.push_back(name + " as");
    }
    made.emplace_back("torch import");
    for (const std::string_view prefix : variable_prefixes()) made.emplace_back(prefix);
    return made;
  }();
  return stems;
}

/// A list of names: does one of them need a look?
bool tells_import(std::string_view module, std::string_view bytes, size_t at) {
  constexpr size_t longest = 4096;
  const std::string_view list = bytes.substr(0, std::min(at + longest, bytes.size()));
  const bool open = list.substr(at).starts_with(" (");
  const size_t end = std::min(list.find(open ? ')' : '\n', at), list.size());
  if (end == list.size() && end < bytes.size()) return true;  // nobody writes such a list
  while (at < end) {
    const std::string_view word = word_at(bytes, at);
    at += std::max<size_t>(word.size(), 1);
    if (word.empty()) continue;
    const std::string dotted = std::string(module) + "." + std::string(word);
    if (knowledge::is_closed(dotted) || is_observed_name(dotted)) return true;
  }
  return false;
}

bool tells(std::string_view bytes, size_t begin, size_t end) {
  const std::string_view stem = bytes.substr(begin, end - begin);
  if (stem.back() == '.') {
    const std::string_view word = word_at(bytes, end);
    return !word.empty() && is_observed_name(std::string(stem) + std::string(word));
  }
  if (stem.ends_with(" import"))
    return tells_import(stem.substr(0, stem.size() - std::string_view(" import").size()), bytes,
                        end);
  if (stem.ends_with(" as")) return true;  // what is read of it stands under another name
  if (begin > 0 && is_word_byte(bytes[begin - 1])) return false;
  return !variable_meant_by(word_at(bytes, begin)).empty();
}

}  // namespace

prefilter::Wanted TellingWords::wanted() const { return {anywhere, own, stems, &tells}; }

TellingWords telling_words(const knowledge::Knowledge& knowledge) {
  TellingWords words;
  for (const knowledge::VariableRow& row : knowledge.variables()) add(words.anywhere, row.name);
  for (const knowledge::RulePage& page : knowledge.pages()) {
    std::vector<std::string_view>& to = is_complete_in_file(page) ? words.own : words.anywhere;
    for (const std::string_view name : page.variables) add(to, name);
    for (const std::string_view word : page.words) add(words.own, word);
  }
  for (const knowledge::ArgumentFaultRow& row : knowledge.argument_faults()) {
    words.own.insert(words.own.end(), row.telling.begin(), row.telling.end());
    if (!row.telling.empty()) continue;
    for (const std::string_view call : row.calls) add(words.own, call);
  }
  for (const knowledge::ReplacedNameRow& row : knowledge.replaced_names()) {
    if (!knowledge::is_closed(row.name.substr(0, row.name.rfind('.')))) add(words.own, row.name);
  }
  words.stems.assign(all_stems(knowledge).begin(), all_stems(knowledge).end());
  return words;
}

}  // namespace vramlint::rules
