// SPDX-License-Identifier: MIT
//
// A child inherits the environment, so that a write which this process reads no more may be meant
// for the child. It is not when the child is `git` or `nvidia-smi`. What can't be told counts as a
// program that reads everything.
#include "replay/child_programs.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "frontends/launch/launcher_words.h"
#include "frontends/launch/shell.h"
#include "replay/holes.h"
#include "replay/launched_program.h"

namespace vramlint::replay {
namespace {

using knowledge::LauncherRole;
using knowledge::LauncherRow;
using model::LaunchPart;
using model::LaunchStep;
using model::LaunchStepKind;
using model::LaunchWord;

/// For a shell a hole is a variable that the text does not set.
constexpr std::string_view hole_for_shell = "${_}";

LaunchWord word_of(std::string_view text) {
  LaunchWord word;
  for (size_t at = 0; at < text.size();) {
    const bool is_hole = text[at] == hole;
    const size_t end = is_hole ? at + 1 : std::min(text.find(hole, at), text.size());
    LaunchPart part;
    part.kind = is_hole ? LaunchPart::Kind::variable : LaunchPart::Kind::text;
    if (!is_hole) part.text = text.substr(at, end - at);
    word.parts.push_back(std::move(part));
    at = end;
  }
  return word;
}

bool is_part(const LaunchWord& word, LaunchPart::Kind kind) {
  return std::ranges::any_of(word.parts,
                             [kind](const LaunchPart& part) { return part.kind == kind; });
}

bool names(const LaunchWord& word, std::string_view variable) {
  return std::ranges::any_of(word.parts, [variable](const LaunchPart& part) {
    return part.kind == LaunchPart::Kind::variable && part.text == variable;
  });
}

bool is_unrelated(const std::vector<LaunchWord>& words, size_t at,
                  const knowledge::Knowledge& knowledge) {
  const knowledge::UnrelatedProgramRow* row = knowledge.unrelated_program(*words[at].plain());
  if (row == nullptr) return false;
  return std::none_of(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end(),
                      [row](const LaunchWord& word) {
                        const std::string* text = word.plain();
                        return text != nullptr && std::ranges::find(row->unless_given, *text) !=
                                                      row->unless_given.end();
                      });
}

/// A container gets what its options name.
bool hands_on(const LaunchStep& step) {
  const bool composes = std::ranges::any_of(step.words, [](const LaunchWord& word) {
    const std::string* text = word.plain();
    return text == nullptr || *text == "compose" || *text == "stack";
  });
  return composes || !step.passed_on.empty() || !step.own.empty();
}

/// Runs over the steps of one command and keeps what its programs have in common.
class ChildRun {
 public:
  explicit ChildRun(const knowledge::Knowledge& knowledge) : knowledge_(knowledge) {}

  void take(const LaunchStep& step) {
    const bool certain = !step.conditional && !step.in_function;
    switch (step.kind) {
      case LaunchStepKind::enter: entered_.push_back(replaced_.size()); break;
      case LaunchStepKind::leave:
        if (entered_.empty()) break;
        replaced_.resize(entered_.back());
        entered_.pop_back();
        break;
      case LaunchStepKind::set:
        note_substitution(step.value);
        if (certain && !step.appends && !step.only_unset && !names(step.value, step.name))
          replaced_.push_back(step.name);
        break;
      case LaunchStepKind::remove:
        if (certain && !step.name.empty()) replaced_.push_back(step.name);
        break;
      case LaunchStepKind::start: start(step); break;
      case LaunchStepKind::publish:
      case LaunchStepKind::misstep: break;
    }
  }

  std::vector<std::string> unread() && {
    if (!unread_) return {std::string(model::withholds_all)};
    return *std::move(unread_);
  }

 private:
  /// `$(python x.py)`: what runs there is not read here.
  void note_substitution(const LaunchWord& word) {
    if (is_part(word, LaunchPart::Kind::unknown)) unread_.emplace();
  }

  void start(const LaunchStep& step) {
    for (const LaunchWord& word : step.words) note_substitution(word);
    if (!may_read_environment(step, knowledge_)) return;
    std::vector<std::string> names_here = replaced_;
    names_here.insert(names_here.end(), step.withheld.begin(), step.withheld.end());
    for (const model::LaunchSetting& setting : step.own)
      if (!names(setting.value, setting.name)) names_here.push_back(setting.name);
    // `docker run -e V=$V`, `ssh host V=$V python x.py`: its value is text of the command.
    std::erase_if(names_here, [&step](const std::string& name) {
      return std::ranges::any_of(step.words,
                                 [&name](const LaunchWord& word) { return names(word, name); });
    });
    const bool gets_none = std::erase(names_here, model::withholds_all) != 0;
    if (gets_none && step.passed_on.empty()) return;
    std::ranges::sort(names_here);
    if (!unread_) {
      unread_ = std::move(names_here);
      return;
    }
    std::vector<std::string> common;
    std::ranges::set_intersection(*unread_, names_here, std::back_inserter(common));
    unread_ = std::move(common);
  }

  const knowledge::Knowledge& knowledge_;
  std::vector<std::string> replaced_;  ///< variables that have been given other values, or none
  std::vector<size_t> entered_;
  std::optional<std::vector<std::string>> unread_;  ///< nothing before the first that may read
};

}  // namespace

bool may_read_environment(const LaunchStep& step, const knowledge::Knowledge& knowledge) {
  const std::vector<LaunchWord>& words = step.words;
  for (size_t at = 0; at < words.size();) {
    if (words[at].plain() == nullptr || words[at].plain()->empty()) return true;
    const LauncherRow* row = knowledge.launcher(*words[at].plain());
    if (row == nullptr) return !is_unrelated(words, at, knowledge);
    switch (row->role) {
      case LauncherRole::program: return !builds_or_installs(words, at);
      case LauncherRole::debugger:
      case LauncherRole::shell:
      case LauncherRole::daemon: return true;
      case LauncherRole::container: return hands_on(step);
      case LauncherRole::wrapper:
        // `command -v python` only looks.
        if (row->name == "command" && at + 1 < words.size() && words[at + 1].beginning() == "-v")
          return false;
        at = frontends::program_behind(words, at, *row);
        break;
    }
  }
  return false;
}

std::vector<LaunchStep> steps_of_text(std::string_view text) {
  frontends::MappedText shell;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(hole, at), text.size());
    shell.append(text.substr(at, end - at), static_cast<uint32_t>(at));
    if (end < text.size()) shell.append(hole_for_shell, static_cast<uint32_t>(end));
    at = end + 1;
  }
  std::vector<LaunchStep> steps;
  frontends::read_shell(shell, {}, steps);
  return steps;
}

std::vector<LaunchStep> steps_of_words(const std::vector<std::string>& words) {
  std::vector<LaunchWord> made;
  std::ranges::transform(words, std::back_inserter(made), word_of);
  std::vector<LaunchStep> steps;
  frontends::read_command(std::move(made), steps);
  return steps;
}

std::vector<std::string> unread_by(const std::vector<LaunchStep>& steps,
                                   const knowledge::Knowledge& knowledge) {
  ChildRun run(knowledge);
  for (const LaunchStep& step : steps) run.take(step);
  return std::move(run).unread();
}

}  // namespace vramlint::replay
