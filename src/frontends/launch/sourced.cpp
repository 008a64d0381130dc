// SPDX-License-Identifier: MIT
//
// Only what the file names in full is followed, and nothing behind a `cd`: where that leads only
// the replay knows. A `.env` file is one of the shell's own where a shell sources it; a program
// that reads it by itself has the variables all the same.
#include "frontends/launch/sourced.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "frontends/launch/launch.h"
#include "knowledge/knowledge.h"

namespace vramlint::frontends {
namespace {

using model::LaunchStep;
using model::LaunchStepKind;
using model::LaunchWord;

/// Files that one script sources; no person writes more.
constexpr size_t most_sourced = 16;

std::string_view plain_text(const LaunchWord& word) {
  const std::string* plain = word.plain();
  return plain == nullptr ? std::string_view() : std::string_view(*plain);
}

std::string_view first_word(const LaunchStep& step) {
  const bool starts = step.kind == LaunchStepKind::start && !step.words.empty();
  return starts ? step.words[0].beginning() : std::string_view();
}

template <size_t count>
bool is_one_of(const std::array<std::string_view, count>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// Whether a word speaks of the folder that its own script is in: `$(dirname "$0")`.
bool names_own_folder(const LaunchWord& word, const text::Source& script) {
  const std::string_view written = script.slice(word.span);
  const auto has = [written](std::string_view text) { return written.find(text) != written.npos; };
  const bool is_once = written.find("dirname") == written.rfind("dirname");
  return has("dirname") && is_once && (has("$0") || has("BASH_SOURCE")) && !has("..");
}

/// `"$(dirname "$0")/env.sh"` as `env.sh`; empty for any other word.
std::string in_own_folder(const LaunchWord& word, const text::Source& script) {
  const bool has_parts = word.parts.size() == 2 &&
                         word.parts[0].kind == model::LaunchPart::Kind::unknown &&
                         word.parts[1].kind == model::LaunchPart::Kind::text;
  if (!has_parts || !names_own_folder(word, script)) return {};
  const std::string& rest = word.parts[1].text;
  return rest.starts_with('/') ? rest.substr(1) : std::string();
}

bool is_relative(std::string_view path) { return !path.empty() && !path.starts_with('/'); }

bool changes_folder(const LaunchStep& step, const model::Launch& launch) {
  constexpr std::array<std::string_view, 3> names = {"cd", "pushd", "popd"};
  if (!is_one_of(names, first_word(step))) return false;
  const bool goes_home = step.words.size() == 2 && step.words[1].parts.size() == 1 &&
                         names_own_folder(step.words[1], *launch.file(step.file));
  return !goes_home;
}

/// What `source FILE` names; empty for any other step.
std::string sourced_by(const LaunchStep& step, const model::Launch& launch, bool knows_folder) {
  const std::string_view name = first_word(step);
  if ((name != "source" && name != ".") || step.words.size() < 2) return {};
  if (step.file == 0) {
    std::string own = in_own_folder(step.words[1], *launch.source);
    if (!own.empty()) return own;
  }
  const std::string_view path = knows_folder ? plain_text(step.words[1]) : std::string_view();
  return is_relative(path) ? std::string(path) : std::string();
}

/// The script that a command runs in a shell of its own, `./env.sh` or `bash env.sh`, without an
/// argument; empty for any other step.
std::string run_by(const LaunchStep& step) {
  constexpr std::array<std::string_view, 3> shells = {"bash", "sh", "zsh"};
  const std::string_view name = first_word(step);
  if (name.empty() || !step.own.empty() || step.contained) return {};
  const bool by_shell = step.words.size() == 2 && is_one_of(shells, name);
  const bool by_itself = step.words.size() == 1 && name.find('/') != std::string_view::npos;
  const std::string_view path = by_shell    ? plain_text(step.words[1])
                                : by_itself ? plain_text(step.words[0])
                                            : std::string_view();
  return is_relative(path) ? std::string(path) : std::string();
}

/// The variable that a script exports and does nothing else: null where it starts a program, or
/// sets none that matters.
const LaunchStep* only_exported(const std::vector<LaunchStep>& steps) {
  constexpr std::array<std::string_view, 13> idle = {
      "echo",   "printf", ":",     "true",   "exit", "[", "test",
      "module", "ulimit", "conda", "source", ".",    "cd"};
  const LaunchStep* found = nullptr;
  int inside = 0;
  for (const LaunchStep& step : steps) {
    if (step.kind == LaunchStepKind::start && !is_one_of(idle, first_word(step))) return nullptr;
    if (step.kind == LaunchStepKind::enter) ++inside;
    if (step.kind == LaunchStepKind::leave) --inside;
    const bool exports = step.kind == LaunchStepKind::set && step.exported && !step.conditional &&
                         !step.in_function && inside == 0;
    if (!exports || found != nullptr) continue;
    const knowledge::VariableRow* row = knowledge::Knowledge::builtin().variable(step.name);
    if (row != nullptr && row->name == step.name) found = &step;
  }
  return found;
}

/// Whether all that the file starts are scripts of the project, none of which speaks of `.env`
/// files: then nobody but the shell reads one.
bool leaves_dotenv_to_shell(const model::Launch& launch, const FindFile& find) {
  bool starts = false;
  for (const LaunchStep& step : launch.steps) {
    if (step.kind != LaunchStepKind::start) continue;
    const auto is_program = [](const LaunchWord& word) {
      const auto* row = knowledge::Knowledge::builtin().launcher(plain_text(word));
      return row != nullptr && row->role == knowledge::LauncherRole::program;
    };
    if (std::ranges::none_of(step.words, is_program)) continue;
    const auto script = std::ranges::find_if(
        step.words, [](const LaunchWord& word) { return plain_text(word).ends_with(".py"); });
    const auto source = script == step.words.end() ? nullptr : find(*script->plain());
    if (!source || source->bytes().find("dotenv") != std::string_view::npos) return false;
    starts = true;
  }
  return starts;
}

bool is_known(const model::Launch& launch, const std::string& path) {
  return launch.source->path() == path ||
         std::ranges::any_of(launch.sourced,
                             [&](const auto& source) { return source->path() == path; });
}

/// `./env.sh && python train.py`: what the script exports is gone with its shell.
void add_run(model::Launch& launch, size_t at, const FindFile& find) {
  const LaunchStep& step = launch.steps[at];
  const std::string written = step.file == 0 ? run_by(step) : std::string();
  const auto source = written.empty() ? nullptr : find(written);
  if (!source || source->language() != text::Language::shell) return;
  const std::vector<LaunchStep> steps = read_sourced(*source);
  const LaunchStep* exported = only_exported(steps);
  if (exported == nullptr) return;
  if (!is_known(launch, source->path())) launch.sourced.push_back(source);
  LaunchStep lost;
  lost.kind = LaunchStepKind::misstep;
  lost.misstep = model::Misstep::child_shell;
  lost.span = step.span;
  lost.name = exported->name;
  lost.conditional = step.conditional;
  lost.in_function = step.in_function;
  launch.steps.insert(launch.steps.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(lost));
}

}  // namespace

void add_sourced(model::Launch& launch, const FindFile& find) {
  bool knows_folder = true;
  for (size_t i = 0; i < launch.steps.size() && launch.sourced.size() < most_sourced; ++i) {
    const LaunchStep& step = launch.steps[i];
    knows_folder = knows_folder && !changes_folder(step, launch);
    const std::string written = sourced_by(step, launch, knows_folder);
    const auto source = written.empty() ? nullptr : find(written);
    const bool is_read =
        source &&
        (source->language() == text::Language::shell ||
         (source->language() == text::Language::dotenv && leaves_dotenv_to_shell(launch, find)));
    if (!is_read) {
      if (knows_folder && written.empty()) add_run(launch, i, find);
      continue;
    }
    if (is_known(launch, source->path())) continue;
    launch.sourced.push_back(source);
    std::vector<LaunchStep> steps = read_sourced(*source);
    for (LaunchStep& inner : steps) {
      inner.file = static_cast<uint32_t>(launch.sourced.size());
      inner.conditional |= step.conditional;
      inner.in_function |= step.in_function;
    }
    // The loop comes by these steps next, and by what they source.
    launch.steps.insert(launch.steps.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                        std::make_move_iterator(steps.begin()),
                        std::make_move_iterator(steps.end()));
  }
}

}  // namespace vramlint::frontends
