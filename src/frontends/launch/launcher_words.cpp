// SPDX-License-Identifier: MIT
//
// Where in a command the program stands that another one starts. Only a shell, `env` and `sudo`
// read `NAME=value` in front of a program; whoever else is given one looks for a program, or a
// script, of that name.
#include "frontends/launch/launcher_words.h"

#include <algorithm>
#include <string>

#include "frontends/launch/shell_words.h"
#include "knowledge/knowledge.h"

namespace vramlint::frontends {

using knowledge::LauncherRole;
using knowledge::LauncherRow;
using model::LaunchSetting;
using model::LaunchWord;

namespace {

bool is_valued(const LauncherRow& row, std::string_view option) {
  return std::ranges::find(row.valued, option) != row.valued.end();
}

/// Where an operand stands, counted from 1 behind a word; `words.size()` where none does, and where
/// it may be anything.
size_t operand_index(const std::vector<LaunchWord>& words, size_t at, const LauncherRow& row,
                     int count) {
  for (size_t i = at + 1; i < words.size(); ++i) {
    const std::string* text = words[i].plain();
    // `$TIME` in front of the program may be empty or an option; what follows is no assignment then
    // either.
    if (text == nullptr) {
      if (--count > 0) continue;
      return setting_in(words[i]) ? i : words.size();
    }
    if (text->empty() || *text == "-") return words.size();
    if (text->front() == '-') {
      // `python -m module`: what follows is for the module.
      if (row.reads_input && (text->starts_with("-m") || text->starts_with("-c")))
        return words.size();
      if (is_valued(row, *text)) ++i;
    } else if (--count == 0) {
      return i;
    }
  }
  return words.size();
}

/// Where the program stands that a launcher starts.
size_t program_index(const std::vector<LaunchWord>& words, size_t at, const LauncherRow& row) {
  if (row.verbs.empty()) return operand_index(words, at, row, row.program_at);
  const size_t verb = operand_index(words, at, row, 1);
  const std::string* word = verb < words.size() ? words[verb].plain() : nullptr;
  const bool starts = word != nullptr && std::ranges::find(row.verbs, *word) != row.verbs.end();
  return starts ? operand_index(words, verb, row, row.program_at) : words.size();
}

/// The first variable that we know of assignments side by side.
std::optional<LaunchSetting> known_setting(const std::vector<LaunchWord>& words, size_t at) {
  for (; at < words.size(); ++at) {
    std::optional<LaunchSetting> setting = setting_in(words[at]);
    if (!setting) break;
    if (knowledge::Knowledge::builtin().variable(setting->name) != nullptr) return setting;
  }
  return std::nullopt;
}

}  // namespace

size_t program_behind(const std::vector<LaunchWord>& words, size_t at, const LauncherRow& wrapper) {
  for (++at; at < words.size(); ++at) {
    const std::string* text = words[at].plain();
    if (text == nullptr || text->empty()) break;
    if (text->front() == '-') {
      if (is_valued(wrapper, *text)) ++at;
    } else if (!setting_in(words[at]) && (text->front() < '0' || text->front() > '9')) {
      break;
    }
  }
  return at;
}

std::optional<TakenForProgram> taken_for_program(const std::vector<LaunchWord>& words) {
  size_t at = 0;
  for (size_t hops = 0; hops < most_launchers && at < words.size(); ++hops) {
    const std::string* name = words[at].plain();
    const LauncherRow* row =
        name == nullptr ? nullptr : knowledge::Knowledge::builtin().launcher(*name);
    if (row == nullptr) return std::nullopt;
    if (row->program_at == 0) {
      if (row->role != LauncherRole::wrapper) return std::nullopt;
      at = program_behind(words, at, *row);
      continue;
    }
    const size_t program = program_index(words, at, *row);
    if (std::optional<LaunchSetting> setting = known_setting(words, program))
      return TakenForProgram{words[at], std::move(*setting)};
    at = program;
  }
  return std::nullopt;
}

}  // namespace vramlint::frontends
