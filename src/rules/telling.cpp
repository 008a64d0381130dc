// SPDX-License-Identifier: MIT
#include "rules/telling.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "knowledge/names.h"
#include "rules/check.h"
#include "rules/misspelling.h"
#include "rules/signs.h"
#include "support/assert.h"
#include "text/letter_case.h"
#include "text/name_bytes.h"

namespace vramlint::rules {
namespace {

using prefilter::Answers;
using prefilter::is_word_byte;

/// With letters outside ASCII, as names are read.
std::string_view word_at(std::string_view bytes, size_t begin) {
  size_t end = begin;
  while (end < bytes.size() && text::is_name_byte(bytes[end])) ++end;
  return bytes.substr(begin, end - begin);
}

/// Findings of these families are made of what stands in one file, whoever imports it.
bool is_complete_in_file(const knowledge::RulePage& page) {
  return page.family == "api" || page.family == "lifetime";
}

/// Families that speak of environment variables.
bool is_about_variables(const knowledge::RulePage& page) {
  return page.family == "order" || page.family == "settings" || page.family == "environment" ||
         page.family == "launch";
}

/// The last word of a dotted name: `empty_cache` of `torch.cuda.empty_cache()`.
std::string_view last_word(std::string_view name) {
  name = name.substr(0, name.find('('));
  name.remove_prefix(name.rfind('.') + 1);
  return name;
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

/// After `torch.cuda.`: a name that some release does not have, or that has another by now.
bool tells_name(std::string_view bytes, size_t begin, size_t end, Answers&) {
  const std::string_view word = word_at(bytes, end);
  return !word.empty() &&
         is_observed_name(std::string(bytes.substr(begin, end - begin)) + std::string(word));
}

bool tells_names(std::string_view bytes, size_t begin, size_t end, Answers&) {
  constexpr std::string_view import = " import";
  return tells_import(bytes.substr(begin, end - begin - import.size()), bytes, end);
}

/// What is read of a module under another name can't be told from bytes.
bool always(std::string_view, size_t, size_t, Answers&) { return true; }

bool is_misspelt(std::string_view bytes, size_t begin, size_t, Answers&) {
  if (begin > 0 && is_word_byte(bytes[begin - 1])) return false;
  if (!variable_meant_by(word_at(bytes, begin)).empty()) return true;
  // `"CUDA_VISIBLE-DEVICES"`: what no name holds may be the very fault.
  constexpr size_t longest = 64;
  const std::string_view text = bytes.substr(begin, longest);
  const size_t end = text.find_first_of("\"'\r\n");
  return end != std::string_view::npos && !variable_meant_by(text.substr(0, end)).empty();
}

}  // namespace

TellingWords::TellingWords(const knowledge::Knowledge& knowledge)
    : knowledge_(knowledge), set_((add_rows(), finish())) {}

uint32_t TellingWords::stem(std::string text, decltype(prefilter::Stem::tells) tells) {
  stems_.push_back({std::move(text), std::move(tells)});
  return static_cast<uint32_t>(prefilter::Marks::stem(stems_.size() - 1));
}

/// A word alone or, as `word ? sign`, with what has to stand around it. Words are those of tables
/// and live as long as the program.
uint32_t TellingWords::number_of(std::string_view word) {
  const auto [known, fresh] = numbers_.try_emplace(word, static_cast<uint32_t>(words_.size()));
  if (!fresh) return known->second;
  constexpr std::string_view mark = " ? ";
  if (const size_t end = word.find(mark); end != std::string_view::npos) {
    const Sign sign = sign_named(word.substr(end + mark.size()));
    VRAMLINT_ASSERT(sign != nullptr);
    known->second = stem(std::string(word.substr(0, end)), sign);
    stems_.back().asked_once = is_same_everywhere(sign);
    return known->second;
  }
  words_.push_back(word);
  return known->second;
}

/// `together`: words with ` & ` between them.
void TellingWords::add(size_t page, diagnostics::Severity most, bool anywhere,
                       std::string_view together) {
  constexpr std::string_view mark = " & ";
  Trigger made{{}, page, most, anywhere};
  while (!together.empty()) {
    const size_t end = std::min(together.find(mark), together.size());
    const uint32_t number = number_of(together.substr(0, end));
    if (!made.together.words.any()) made.together.first = number;
    made.together.words.set(number);
    together.remove_prefix(std::min(end + mark.size(), together.size()));
  }
  if (made.together.words.any()) triggers_.push_back(made);
}

void TellingWords::add_page(size_t index, const knowledge::RulePage& page) {
  const diagnostics::Severity most = severity_named(page.severity);
  for (const std::string_view together : page.words) add(index, most, false, together);
  if (!page.words.empty()) return;
  const bool anywhere = !is_complete_in_file(page);
  for (const std::string_view name : page.variables) add(index, most, anywhere, last_word(name));
}

void TellingWords::add_rows() {
  const auto pages = knowledge_.pages();
  std::unordered_map<std::string_view, size_t> by_name;
  prefilter::Marks variables;
  for (const knowledge::VariableRow& row : knowledge_.variables())
    variables.set(number_of(row.name));
  for (size_t i = 0; i < pages.size(); ++i) {
    by_name.emplace(pages[i].name, i);
    add_page(i, pages[i]);
    if (is_about_variables(pages[i]))
      triggers_.push_back({{variables}, i, severity_named(pages[i].severity), true});
  }
  for (const knowledge::ArgumentFaultRow& row : knowledge_.argument_faults()) {
    const size_t page = by_name.at(row.rule);
    const diagnostics::Severity most =
        std::min(severity_of(row.severity), severity_named(pages[page].severity));
    for (const std::string_view together : row.telling) add(page, most, false, together);
    if (!row.telling.empty()) continue;
    for (const std::string_view call : row.calls) add(page, most, false, last_word(call));
  }
  add_stems();
}

/// For the pages about names that no list can hold: `torch.cuda.` and `torch.cuda import` for each
/// module whose names are known, and the words that names of variables begin with.
void TellingWords::add_stems() {
  const auto pages = knowledge_.pages();
  const auto add_for = [&](std::string_view check, uint32_t number) {
    for (size_t i = 0; i < pages.size(); ++i) {
      if (pages[i].check != check) continue;
      Trigger made{{}, i, severity_named(pages[i].severity), false};
      made.together.first = number;
      made.together.words.set(number);
      triggers_.push_back(made);
    }
  };
  constexpr std::string_view names = "memory_name";
  for (const knowledge::NameModuleRow& row : knowledge_.name_modules()) {
    const std::string name(row.name);
    add_for(names, stem(name + ".", tells_name));
    add_for(names, stem(name + " import", tells_names));
    add_for(names, stem(name + " as", always));
  }
  add_for(names, stem("torch import", tells_names));
  for (const knowledge::ReplacedNameRow& row : knowledge_.replaced_names()) {
    if (!knowledge::is_closed(row.name.substr(0, row.name.rfind('.'))))
      add_for(names, number_of(last_word(row.name)));
  }
  for (const knowledge::NameRow& row : knowledge_.names()) {
    if (knowledge::is_closed(row.module)) continue;
    for (const std::string_view name : row.names) add_for(names, number_of(name));
  }
  for (const std::string_view prefix : variable_prefixes())
    add_for("variable_name", stem(std::string(prefix), is_misspelt));
}

prefilter::WordSet TellingWords::finish() { return prefilter::WordSet({words_, stems_}); }

frontends::Needs TellingWords::needs(const Interest& interest) const {
  frontends::Needs made;
  for (const Trigger& trigger : triggers_) {
    if (!interest.in(trigger.page, trigger.most)) continue;
    frontends::Together together = trigger.together;
    together.in_tests = !knowledge_.pages()[trigger.page].skips_tests;
    if (trigger.anywhere) {
      made.anywhere |= together.words;
    } else if (std::ranges::find(made.own, together) == made.own.end()) {
      made.own.push_back(together);
    }
  }
  return made;
}

const TellingWords& telling_words() {
  static const TellingWords words(knowledge::Knowledge::builtin());
  return words;
}

const prefilter::WordSet& launch_words() {
  static const prefilter::WordSet set = [] {
    // What tells of `/dev/shm`, and of programs that only launch files name.
    std::vector<std::string_view> words = {"cuda-memcheck", "nvidia-cuda-mps-control", "*workers"};
    for (const knowledge::VariableRow& row : knowledge::Knowledge::builtin().variables())
      words.push_back(row.name);
    std::vector<prefilter::Stem> stems;
    for (const std::string_view prefix : variable_prefixes()) {
      stems.push_back({std::string(prefix), is_misspelt});
      stems.push_back({text::lower(prefix), is_misspelt});
    }
    return prefilter::WordSet({words, stems});
  }();
  return set;
}

}  // namespace vramlint::rules
