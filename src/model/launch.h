// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/source.h"

// What launches a program: a shell script, a Dockerfile, a YAML file, a `.env` … They all come down
// to a row of steps that set variables and start programs. The words stay as they are written; what
// they amount to is found out in `replay/launch.cpp`.

namespace vramlint::model {

/// A piece of a word.
struct LaunchPart {
  enum class Kind : uint8_t {
    text,
    variable,  ///< `$NAME`; `${NAME:-preset}`
    unknown,   ///< a command's output, a template's expression …
  };
  Kind kind = Kind::text;
  std::string text;    ///< or the variable's name
  std::string preset;  ///< what stands for a variable that is not set
  text::Span preset_span;
  bool has_preset = false;
};

/// A word or value of a launch file.
struct LaunchWord {
  std::vector<LaunchPart> parts;
  text::Span span;      ///< as it is written, quotes included
  text::Span inner;     ///< its text without quotes around all of it
  bool quoted = false;  ///< some of it stands in quotes
  /// Where each byte of the text came from, as runs: place in the text, place in the file.
  std::vector<std::pair<uint32_t, uint32_t>> origins;

  /// The text, where nothing but text stands in it.
  const std::string* plain() const {
    static const std::string empty;
    if (parts.empty()) return &empty;
    return parts.size() == 1 && parts[0].kind == LaunchPart::Kind::text ? &parts[0].text : nullptr;
  }
  /// What is written before the first variable or the like.
  std::string_view beginning() const {
    const bool has = !parts.empty() && parts[0].kind == LaunchPart::Kind::text;
    return has ? std::string_view(parts[0].text) : std::string_view();
  }
};

/// `NAME=value`, with the stretch that a message points to.
struct LaunchSetting {
  std::string name;
  LaunchWord value;
  text::Span span;
};

enum class LaunchStepKind : uint8_t {
  set,      ///< a variable, with a value
  publish,  ///< `export NAME`: programs started from now on get it
  remove,
  start,    ///< a program
  enter,    ///< what is set from here on …
  leave,    ///< … is forgotten here: a subshell, a service of its own
  misstep,  ///< written as if it set a variable, and does something else: `misstep` says what
};

/// Ways to miss the environment.
enum class Misstep : uint8_t {
  none,
  not_exported,       ///< a variable of the shell alone
  after_start,        ///< the program has been started before
  foreign_words,      ///< the words of another shell: `set K=V` in a `.sh`
  no_shell,           ///< `["K=V", "python"]`: the words of a shell where none reads them
  program_option,     ///< `docker run image -e K=V`: for the program, not for docker
  taken_for_program,  ///< `nohup K=V python`: nohup looks for a program of that name
  spaces,             ///< `K = V`: a command named K
  cut_value,          ///< the shell ends the value at a blank or `;`, or `srun` at a comma
  no_equals,          ///< `- K:V` in a list of variables
  unquoted,           ///< `$env:K = V` of PowerShell: a command named V
  comment_kept,       ///< `ENV K=V # why`: no comment begins there
  withheld,           ///< `srun --export=NONE`: a program is started without it
  subshell,           ///< `(export K=V)`
  own_shell,          ///< `RUN export K=V`, a step of a workflow: the shell ends with it
  build_argument,     ///< `ARG K=V`: for the build only
  quotes_kept,        ///< `set K="V"`: the quotes are part of the value
  second_set,         ///< `set A=x set K=V` on one line: all of it is the value of A
  other_stage,        ///< `ENV K=V` in a stage of a Dockerfile that the last one is not made from
  not_text,           ///< `value: 8` in a manifest: Kubernetes takes texts alone
  next_session,       ///< `setx K V`: for the sessions to come
  child_shell,        ///< `./env.sh`, whose shell ends before the program is started
  pipeline,           ///< `export K=V | tee`: each side of a `|` is a shell of its own
  startup_file,       ///< `echo "export K=V" >> ~/.bashrc`: for shells that somebody sits before
  later_steps,        ///< `K=V` to `$GITHUB_ENV`: for the steps below, not for this one
  named_by_value,     ///< `export $K=V`: sets a variable whose name is the value of K
  mapping_entry,      ///< `- K: V` in a list of variables of a compose file
  mapping_for_list,   ///< `env: {K: V}` of a container of Kubernetes
};

/// In `LaunchStep::withheld`: all variables, but for those that are named.
inline constexpr std::string_view withholds_all = "*";

struct LaunchStep {
  LaunchStepKind kind = LaunchStepKind::start;
  Misstep misstep = Misstep::none;
  text::Span span;
  std::string name;
  LaunchWord value;
  bool exported = false;     ///< of `set`: programs started from now on get it
  bool appends = false;      ///< `NAME+=value`
  bool only_unset = false;   ///< `: ${NAME:=value}`
  bool for_later = false;    ///< of `set`: not for this shell, but for later steps of a workflow
  bool conditional = false;  ///< whether it is reached depends on something unknown
  bool in_function = false;
  bool publishes_all = false;  ///< of `publish` and `remove` without a name: `set -a`, `set +a`
  /// Of a start: the program and its arguments; of `taken_for_program`: who takes it for one.
  std::vector<LaunchWord> words;
  std::vector<LaunchSetting> own;  ///< of a start: variables for this program alone
  /// Of a start, or of an `enter` for all that stands inside: variables that it does not get; `*`:
  /// none.
  std::vector<std::string> withheld;
  std::string withheld_by;  ///< the program that does that
  /// … unless the machine says otherwise: what `sudo` keeps is in its files.
  bool may_keep = false;
  std::vector<std::string> passed_on;  ///< of a start: `docker run -e NAME`
  bool contained = false;  ///< of a start: in a container, which gets `own` and `passed_on` alone
  bool small_shared_memory = false;  ///< … with a `/dev/shm` of the size that it has by itself
  /// Of a start: the program that it reads from a heredoc or behind `-c`, line by line as it gets
  /// them. Nothing where the shell changes more of it than it fills in.
  std::vector<text::Span> input;
  std::vector<text::Span> filled_in;  ///< what stands in the input for text that is not known
  /// In which it stands: 0 is the launch file, others are those that it sources.
  uint32_t file = 0;
};

/// Whether nothing of the environment reaches what a step starts, but for what is named.
inline bool withholds_environment(const LaunchStep& step) {
  return std::ranges::find(step.withheld, withholds_all) != step.withheld.end();
}

/// A launch file, step by step.
struct Launch {
  std::shared_ptr<const text::Source> source;
  std::vector<LaunchStep> steps;
  std::vector<std::shared_ptr<const text::Source>> sourced = {};  ///< file 1 and those after it

  const std::shared_ptr<const text::Source>& file(uint32_t index) const {
    return index == 0 ? source : sourced[index - 1];
  }
};

}  // namespace vramlint::model
