// SPDX-License-Identifier: MIT
#include "replay/launched_program.h"

#include <algorithm>
#include <array>

namespace vramlint::replay {
namespace {

using knowledge::LauncherRole;
using knowledge::LauncherRow;
using model::LaunchWord;

std::string_view text_of(const LaunchWord& word) {
  const std::string* text = word.plain();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

/// Whether a program may be named further on in the command: by something that starts others, or by
/// a variable. Other commands only speak of programs: `pkill python`, `apt-get install python3`.
bool starts_others(const std::vector<LaunchWord>& words, const knowledge::Knowledge& knowledge) {
  if (words[0].plain() == nullptr) return true;
  const bool only_looks =
      text_of(words[0]) == "command" && words.size() > 1 && text_of(words[1]).starts_with('-');
  return knowledge.launcher(text_of(words[0])) != nullptr && !only_looks;
}

/// What says that a program follows, as in `ray job submit -- python x.py`.
bool announces(std::string_view word) {
  constexpr std::array<std::string_view, 4> words = {"--", "run", "exec", "submit"};
  return std::ranges::find(words, word) != words.end();
}

/// Whether the program stands behind `-c`.
bool has_program(const std::vector<LaunchWord>& words, size_t python, const LauncherRow& row) {
  if (!row.reads_input) return false;
  for (size_t i = python + 1; i < words.size(); ++i) {
    const std::string_view text = text_of(words[i]);
    if (text == "-c") return true;
    if (!text.starts_with('-')) return false;
    if (std::ranges::find(row.valued, text) != row.valued.end()) ++i;
  }
  return false;
}

/// Whether Python runs a module that starts no scripts, as far as we know: `python -m package x.py`
/// hands `x.py` to it as an argument.
bool runs_module(const std::vector<LaunchWord>& words, size_t python, const LauncherRow& row,
                 const knowledge::Knowledge& knowledge) {
  if (!row.reads_input) return false;
  for (size_t i = python + 1; i + 1 < words.size(); ++i) {
    const std::string_view text = text_of(words[i]);
    if (text == "-m") return knowledge.launcher(text_of(words[i + 1])) == nullptr;
    if (!text.starts_with('-')) return false;
    if (std::ranges::find(row.valued, text) != row.valued.end()) ++i;
  }
  return false;
}

/// Whether Python takes its program from its input: nothing but options stand behind it, or a `-`.
bool reads_program(const std::vector<LaunchWord>& words, size_t python, const LauncherRow& row) {
  if (!row.reads_input) return false;
  for (size_t i = python + 1; i < words.size(); ++i) {
    const std::string_view text = text_of(words[i]);
    if (text == "-") return true;
    if (!text.starts_with('-') || text.starts_with("-c") || text.starts_with("-m")) return false;
    if (std::ranges::find(row.valued, text) != row.valued.end()) ++i;
  }
  return true;
}

/// `uv run OPTIONS train.py`: the first word behind the options is the script.
bool is_run_by_uv(const std::vector<LaunchWord>& words, size_t at,
                  const knowledge::Knowledge& knowledge) {
  const LauncherRow* row = knowledge.launcher("uv");
  if (row == nullptr) return false;
  for (size_t i = 0; i + 2 <= at; ++i) {
    if (text_of(words[i]) != row->name || text_of(words[i + 1]) != "run") continue;
    for (i += 2; i < at; ++i) {
      const std::string_view text = text_of(words[i]);
      if (std::ranges::find(row->valued, text) != row->valued.end()) {
        ++i;
      } else if (!text.starts_with('-')) {
        return false;
      }
    }
    return i == at;
  }
  return false;
}

bool is_script(std::string_view text) { return text.size() > 3 && text.ends_with(".py"); }

}  // namespace

bool builds_or_installs(const std::vector<LaunchWord>& words, size_t python) {
  constexpr std::array<std::string_view, 10> builders = {
      "setup.py",  "pip",        "build",     "venv", "http.server",
      "json.tool", "virtualenv", "ensurepip", "-V",   "--version"};
  for (size_t i = python + 1; i < words.size() && i <= python + 2; ++i) {
    const std::string* text = words[i].plain();
    if (text != nullptr && std::ranges::find(builders, *text) != builders.end()) return true;
  }
  return false;
}

LaunchedProgram program_of(const model::LaunchStep& start, const knowledge::Knowledge& knowledge) {
  LaunchedProgram made;
  if (start.words.empty()) return made;
  made.name = text_of(start.words[0]);
  bool follows = starts_others(start.words, knowledge);
  bool ends = false;
  for (size_t i = 0; i < start.words.size(); ++i) {
    const std::string* text = start.words[i].plain();
    if (text == nullptr || (i > 0 && !follows)) {
      follows = follows || (text != nullptr && announces(*text));
      continue;
    }
    const LauncherRow* row = knowledge.launcher(*text);
    const bool is_script_here =
        is_script(*text) && (made.runs_python || i == 0 || is_run_by_uv(start.words, i, knowledge));
    if (is_script_here && made.script == nullptr) made.script = text;
    made.runs_python |= is_script_here;
    if (row == nullptr) continue;
    const bool is_named = !made.runs_python && !made.debugged;
    if (row->role == LauncherRole::debugger) made.debugged = true;
    if (row->role == LauncherRole::program) {
      if (builds_or_installs(start.words, i)) return made;
      made.runs_python = true;
      made.runs_input = reads_program(start.words, i, *row);
      if (has_program(start.words, i, *row)) {
        made.runs_input = true;
        ends = true;  // what follows are arguments
      }
      ends = ends || runs_module(start.words, i, *row, knowledge);
    }
    const bool names = row->role == LauncherRole::debugger || row->role == LauncherRole::program ||
                       row->role == LauncherRole::daemon;
    if (names && is_named) made.name = row->name;
    if (ends) break;
  }
  return made;
}

std::string configuration_of(const model::LaunchStep& start,
                             const knowledge::Knowledge& knowledge) {
  for (const knowledge::ConfigurationFileRow& row : knowledge.configuration_files()) {
    for (size_t i = 0; i < start.words.size(); ++i) {
      std::string_view text = text_of(start.words[i]);
      const auto option = std::ranges::find_if(row.options, [&](std::string_view each) {
        return text.starts_with(each) && (text.size() == each.size() || text[each.size()] == '=');
      });
      if (option == row.options.end()) continue;
      const bool is_joined = text.size() > option->size();
      if (!is_joined && i + 1 == start.words.size()) continue;
      text = is_joined ? text.substr(option->size() + 1) : text_of(start.words[i + 1]);
      if (text.ends_with(".json")) return std::string(text);
    }
  }
  return {};
}

}  // namespace vramlint::replay
