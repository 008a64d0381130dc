// SPDX-License-Identifier: MIT
//
// What a command does to the environment: the shell's own words for it, assignments in front of a
// program, and commands that are shell text again. Options of programs are in `options.cpp`.
#include "frontends/launch/commands.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "frontends/launch/heredoc.h"
#include "frontends/launch/launcher_words.h"
#include "frontends/launch/shell_words.h"
#include "knowledge/knowledge.h"

namespace vramlint::frontends {

using knowledge::LauncherRole;
using knowledge::LauncherRow;
using model::LaunchPart;
using model::LaunchSetting;
using model::LaunchStep;
using model::LaunchStepKind;
using model::LaunchWord;
using model::Misstep;

namespace {

/// Strings in strings; what is deeper was generated.
constexpr int most_nested = 4;

bool is_known_variable(std::string_view name) {
  return knowledge::Knowledge::builtin().variable(name) != nullptr;
}

/// Whether a text of assignments goes on with a program: `A=1 B=2` alone is a list for `env`.
bool runs_something(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (!word.empty() && word.find('=') == std::string_view::npos) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

std::string_view plain_text(const LaunchWord& word) {
  const std::string* plain = word.plain();
  return plain == nullptr ? std::string_view() : std::string_view(*plain);
}

/// One command's words on their way to steps.
class Command {
 public:
  Command(std::vector<LaunchWord> words, text::Span span, const ShellContext& context,
          std::vector<LaunchStep>& into)
      : words_(std::move(words)), span_(span), context_(context), into_(into) {}

  void run() {
    note_presets();
    size_t first = 0;
    while (first < words_.size() && take_assignment(first)) ++first;
    if (context_.c_shell && run_csh(first > 0)) return;
    if (first == words_.size()) return set_all(false);
    words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(first));
    const std::string_view name = plain_text(words_[0]);
    if (name == "export") return publish(true);
    if (name == "declare" || name == "typeset" || name == "local" || name == "readonly") {
      const bool exports = std::ranges::any_of(words_, [](const LaunchWord& word) {
        const std::string_view text = plain_text(word);
        return text.starts_with('-') && text.find('x') != std::string_view::npos;
      });
      return publish(exports);
    }
    if (name == "unset") return remove_all();
    if (name == "set") return set_option();
    if (name == "setenv") return foreign(1);
    if (foreign_to_powershell() || named_by_value(0)) return;
    if (is_known_variable(name) && words_.size() > 1 && plain_text(words_[1]).starts_with('='))
      return misstep(Misstep::spaces, std::string(name), words_.size() > 2 ? words_[2] : words_[1]);
    if (name == "eval" || name == "trap") return run_text(name == "eval");
    start();
  }

 private:
  LaunchStep step_of(LaunchStepKind kind) const {
    LaunchStep step;
    step.kind = kind;
    step.span = span_;
    step.conditional = context_.conditional;
    step.in_function = context_.in_function;
    return step;
  }

  void misstep(Misstep way, std::string name, LaunchWord value) {
    LaunchStep step = step_of(LaunchStepKind::misstep);
    step.misstep = way;
    step.name = std::move(name);
    step.value = std::move(value);
    into_.push_back(std::move(step));
  }

  /// `NAME=value`, `NAME+=value`; not `"NAME=value"`, which is a program's name.
  bool take_assignment(size_t index) {
    const LaunchWord& word = words_[index];
    std::optional<LaunchSetting> setting = setting_in(word);
    const bool appends = !setting && is_appending(word);
    if (appends) {
      const size_t equals = word.beginning().find('=');
      setting = LaunchSetting{std::string(word.beginning().substr(0, equals - 1)),
                              word_behind(word, equals + 1), word.span};
    }
    if (!setting) return false;
    appends_.push_back(appends);
    own_.push_back(std::move(*setting));
    return true;
  }

  static bool is_appending(const LaunchWord& word) {
    const std::string_view text = word.beginning();
    const size_t plus = text.find("+=");
    return plus != std::string_view::npos && plus > 0 &&
           std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(plus),
                       is_name_byte);
  }

  /// `: "${NAME:=value}"` sets as well.
  void note_presets() {
    if (words_.empty() || plain_text(words_[0]) != ":") return;
    for (const LaunchWord& word : words_) {
      for (const LaunchPart& part : word.parts) {
        if (part.kind != LaunchPart::Kind::variable || !part.has_preset) continue;
        LaunchStep step = step_of(LaunchStepKind::set);
        step.name = part.text;
        step.only_unset = true;
        step.value = plain_word(part.preset, part.preset_span.begin);
        step.value.span = step.value.inner = part.preset_span;
        into_.push_back(std::move(step));
      }
    }
  }

  void set_all(bool exported) {
    for (size_t i = 0; i < own_.size(); ++i) {
      LaunchStep step = step_of(LaunchStepKind::set);
      step.name = own_[i].name;
      step.value = own_[i].value;
      if (own_.size() > 1 || exported) step.span = own_[i].span;
      step.exported = exported;
      step.appends = appends_[i];
      read_value(step);
    }
  }

  /// What is set may itself set something: a JSON map, or a command that is run later.
  void read_value(LaunchStep step) {
    const std::string_view text = step.value.beginning();
    const bool has_map = text.find('"') != std::string_view::npos || step.value.parts.size() > 1;
    if (has_map) step.own = settings_in_json(text_of(step.value));
    const std::optional<LaunchSetting> setting = setting_in(step.value);
    const bool is_command =
        setting && is_known_variable(setting->name) && step.value.quoted && runs_something(text);
    const LaunchWord value = step.value;
    into_.push_back(std::move(step));
    if (!is_command || context_.depth >= most_nested) return;
    ShellContext inside = context_;
    ++inside.depth;
    add_bare(LaunchStepKind::enter);
    read_shell(text_of(value), inside, into_);
    add_bare(LaunchStepKind::leave);
  }

  /// `export A=1 B=2 C`. A value that the shell ended too early leaves a word that is no name.
  void publish(bool exported) {
    own_.clear();
    appends_.clear();
    const bool takes_back = std::ranges::any_of(
        words_, [](const LaunchWord& word) { return plain_text(word) == "-n"; });
    const size_t settings = static_cast<size_t>(std::ranges::count_if(
        words_, [](const LaunchWord& word) { return setting_in(word).has_value(); }));
    for (size_t i = 1; i < words_.size(); ++i) {
      const std::string_view text = plain_text(words_[i]);
      if (text.starts_with('-') || text.starts_with('+') || named_by_value(i)) continue;
      if (take_assignment(i)) {
        LaunchStep step = step_of(LaunchStepKind::set);
        step.name = own_.back().name;
        step.value = own_.back().value;
        step.span = settings > 1 ? own_.back().span : span_;
        step.exported = exported;
        step.appends = appends_.back();
        read_value(std::move(step));
      } else if (!own_.empty() && is_cut(own_.back(), text)) {
        into_.pop_back();
        return misstep(Misstep::cut_value, own_.back().name, own_.back().value);
      } else if (!own_.empty() && is_parted(own_.back(), words_[i])) {
        into_.pop_back();
        return misstep(Misstep::spaces, own_.back().name, words_[i]);
      } else if (text == "=" && i > 1 && is_known_variable(plain_text(words_[i - 1]))) {
        return misstep(Misstep::spaces, std::string(plain_text(words_[i - 1])), words_[i]);
      } else if (exported && is_value_of_name(i)) {
        into_.pop_back();
        return misstep(Misstep::no_equals, std::string(plain_text(words_[i - 1])), words_[i - 1]);
      } else if (exported && !text.empty()) {
        LaunchStep step = step_of(takes_back ? LaunchStepKind::remove : LaunchStepKind::publish);
        step.name = text;
        into_.push_back(std::move(step));
      }
    }
  }

  /// `export NAME 0`: the second word is no name, and the first gets no value.
  bool is_value_of_name(size_t at) const {
    const std::string_view text = plain_text(words_[at]);
    const bool is_name = std::ranges::all_of(text, is_name_byte) && !text.empty() &&
                         (text[0] < '0' || text[0] > '9');
    const bool follows_name =
        at == 2 && words_.size() == 3 && own_.empty() && is_known_variable(plain_text(words_[1]));
    return follows_name && !text.empty() && !is_name;
  }

  static bool is_cut(const LaunchSetting& setting, std::string_view rest) {
    if (setting.value.quoted || !is_known_variable(setting.name)) return false;
    return (is_allocator_variable(setting.name) && is_option_text(rest)) ||
           is_cut_list(setting.value, rest);
  }

  /// `NAME= 0`: what follows is no program's name.
  static bool is_parted(const LaunchSetting& setting, const LaunchWord& rest) {
    const std::string_view text = plain_text(rest);
    const bool is_empty = setting.value.parts.empty() && !setting.value.quoted &&
                          setting.value.span.begin == setting.value.span.end;
    const bool is_value = !text.empty() && (text.find_first_not_of("0123456789,") == text.npos ||
                                            text.starts_with(':') || is_option_text(text));
    return is_empty && is_value && is_known_variable(setting.name);
  }

  void remove_all() {
    for (size_t i = 1; i < words_.size(); ++i) {
      const std::string_view text = plain_text(words_[i]);
      if (text.empty() || text.starts_with('-')) continue;
      LaunchStep step = step_of(LaunchStepKind::remove);
      step.name = text;
      into_.push_back(std::move(step));
    }
  }

  /// `set -a`, `set -o allexport`; `set NAME=value` is how other shells write it.
  void set_option() {
    for (size_t i = 1; i < words_.size(); ++i) {
      const std::string_view text = plain_text(words_[i]);
      const bool is_letter = text.size() > 1 && text[1] != '-' &&
                             text.find('a') != std::string_view::npos &&
                             text.find('=') == text.npos;
      const bool on = (text.starts_with('-') && is_letter) ||
                      (text == "allexport" && plain_text(words_[i - 1]) == "-o");
      const bool off = (text.starts_with('+') && is_letter) ||
                       (text == "allexport" && plain_text(words_[i - 1]) == "+o");
      if (on || off) {
        LaunchStep step = step_of(on ? LaunchStepKind::publish : LaunchStepKind::remove);
        step.publishes_all = true;
        into_.push_back(std::move(step));
        return;
      }
    }
    foreign(1);
  }

  /// What csh takes otherwise than sh; whether the command was such. It knows no `NAME=value` of
  /// its own, and `set` makes a variable that no program gets.
  bool run_csh(bool has_assignment) {
    const std::string_view name = plain_text(words_[0]);
    if (has_assignment) return foreign(0), true;
    if (name == "export") return foreign(1), true;
    if (name == "unsetenv") return remove_all(), true;
    if (name == "setenv" && words_.size() > 1 && words_[1].plain() != nullptr) {
      LaunchStep step = step_of(LaunchStepKind::set);
      step.name = *words_[1].plain();
      step.value = words_.size() > 2 ? words_[2] : word_behind(words_[1], step.name.size());
      step.exported = true;
      into_.push_back(std::move(step));
    }
    return name == "setenv" || name == "set";
  }

  /// `$env:NAME = value`; whether the command was one.
  bool foreign_to_powershell() {
    const std::vector<LaunchPart>& parts = words_[0].parts;
    const bool names = parts.size() == 2 && parts[0].kind == LaunchPart::Kind::variable &&
                       parts[0].text == "env" && parts[1].kind == LaunchPart::Kind::text &&
                       parts[1].text.starts_with(':');
    if (!names) return false;
    const std::string_view rest = std::string_view(parts[1].text).substr(1);
    const std::string name(rest.substr(0, rest.find('=')));
    const bool is_set =
        rest.size() > name.size() || (words_.size() > 1 && words_[1].beginning().starts_with('='));
    const bool is_wrong = is_set && is_known_variable(name) && !context_.perhaps_cmd;
    if (is_wrong) misstep(Misstep::foreign_words, name, words_.back());
    return is_wrong;
  }

  /// `$NAME=value`: the shell puts the value of the variable in place of its name; whether the word
  /// was one.
  bool named_by_value(size_t at) {
    const std::vector<LaunchPart>& parts = words_[at].parts;
    const bool is_wrong = parts.size() > 1 && parts[0].kind == LaunchPart::Kind::variable &&
                          parts[1].kind == LaunchPart::Kind::text &&
                          parts[1].text.starts_with('=') && is_known_variable(parts[0].text);
    if (is_wrong) misstep(Misstep::named_by_value, parts[0].text, words_[at]);
    return is_wrong;
  }

  /// `set NAME=value`, `setenv NAME value`.
  void foreign(size_t at) {
    if (at >= words_.size() || context_.perhaps_cmd) return;
    const std::optional<LaunchSetting> setting = setting_in(words_[at]);
    if (setting && is_known_variable(setting->name))
      return misstep(Misstep::foreign_words, setting->name, setting->value);
    const std::string_view name = plain_text(words_[at]);
    if (at + 1 < words_.size() && is_known_variable(name) && plain_text(words_[0]) == "setenv")
      misstep(Misstep::foreign_words, std::string(name), words_[at + 1]);
  }

  /// A program with the variables in front of it.
  void start() {
    LaunchStep step = step_of(LaunchStepKind::start);
    step.words = std::move(words_);
    step.contained = context_.contained;
    for (size_t i = 0; i < own_.size(); ++i) {
      // `CONF=a:1, b:2 python x.py`: the second option is taken for the program.
      if (i + 1 == own_.size() && is_cut(own_[i], plain_text(step.words[0])))
        return misstep(Misstep::cut_value, own_[i].name, own_[i].value);
    }
    if (!own_.empty() && is_parted(own_.back(), step.words[0]))
      return misstep(Misstep::spaces, own_.back().name, step.words[0]);
    if (const std::optional<TakenForProgram> taken = taken_for_program(step.words))
      return take_for_program(*taken);
    for (const LaunchSetting& setting : read_options(step))
      if (is_known_variable(setting.name)) misplace(setting);
    const bool keeps_from_program = withholds_environment(step) && !own_.empty();
    if (keeps_from_program) {
      // `NAME=value sudo python x.py`: for sudo, as what has been exported is.
      add_bare(LaunchStepKind::enter);
      set_all(true);
    } else {
      step.own.insert(step.own.begin(), own_.begin(), own_.end());
    }
    start_program(std::move(step));
    if (keeps_from_program) add_bare(LaunchStepKind::leave);
  }

  /// The program itself, or the shell text that the command runs.
  void start_program(LaunchStep step) {
    note_cut_list(step);
    const MappedText text = shell_text(step.words);
    if (!text.text().empty() && context_.depth < most_nested) return start_text(step, text);
    if (is_command_variable(step)) step.name = step.words[0].parts[0].text;
    add_program(step);
    into_.push_back(std::move(step));
  }

  /// `nohup NAME=value python x.py`
  void take_for_program(const TakenForProgram& taken) {
    misstep(Misstep::taken_for_program, taken.setting.name, taken.setting.value);
    into_.back().span = taken.setting.span;
    into_.back().words.push_back(taken.launcher);
  }

  /// `python -c "import torch"`: the program stands in the command, in quotes.
  static void add_program(LaunchStep& step) {
    bool runs_python = false;
    for (size_t i = 0; i + 1 < step.words.size(); ++i) {
      const std::string_view text = plain_text(step.words[i]);
      const LauncherRow* row = knowledge::Knowledge::builtin().launcher(text);
      if (row != nullptr) runs_python = row->role == LauncherRole::program && row->reads_input;
      const LaunchWord& program = step.words[i + 1];
      if (!runs_python || text != "-c" || !program.quoted) continue;
      if (program.parts.size() != 1 || program.plain() == nullptr) return;
      const MappedText written = text_of(program);
      step.input = lines_in(written, 0, written.text().size());
      return;
    }
  }

  /// `docker run image -e NAME=value`
  void misplace(const LaunchSetting& setting) {
    misstep(Misstep::program_option, setting.name, setting.value);
    into_.back().span = setting.span;
  }

  /// `srun --export=ALL,CONF=a:1,b:2`: the comma ends the value.
  void note_cut_list(const LaunchStep& step) {
    if (std::ranges::none_of(step.passed_on, is_option_text)) return;
    const auto found = std::ranges::find_if(
        step.own, [](const LaunchSetting& setting) { return is_allocator_variable(setting.name); });
    if (found == step.own.end()) return;
    misstep(Misstep::cut_value, found->name, found->value);
    into_.back().span = found->span;
  }

  /// `$run_cmd`, with nothing else in the word.
  static bool is_command_variable(const LaunchStep& step) {
    const std::vector<LaunchPart>& parts = step.words[0].parts;
    return parts.size() == 1 && parts[0].kind == LaunchPart::Kind::variable;
  }

  /// The shell text of `bash -c TEXT`, `docker run … sh -lc TEXT`, `ssh HOST TEXT`,
  /// `screen -X stuff TEXT`; empty where there is none.
  static MappedText shell_text(const std::vector<LaunchWord>& words) {
    static constexpr std::string_view wrap = "--wrap=";
    const auto wrapped = std::ranges::find_if(
        words, [](const LaunchWord& word) { return word.beginning().starts_with(wrap); });
    if (wrapped != words.end()) return text_of(word_behind(*wrapped, wrap.size()));
    const size_t index = text_index(words);
    return index > 0 ? text_of(words[index]) : text_for_ssh(words);
  }

  /// `ssh HOST cd /work '&&' python x.py`: the words behind the host are put together.
  static MappedText text_for_ssh(const std::vector<LaunchWord>& words) {
    const LauncherRow* row = knowledge::Knowledge::builtin().launcher(plain_text(words[0]));
    if (row == nullptr || row->name != "ssh") return {};
    size_t host = 1;
    while (host < words.size() && words[host].beginning().starts_with('-'))
      host += std::ranges::find(row->valued, plain_text(words[host])) == row->valued.end() ? 1 : 2;
    return text_from(words, host + 1);
  }

  /// The words from one on, put together.
  static MappedText text_from(const std::vector<LaunchWord>& words, size_t first) {
    MappedText made;
    for (size_t i = first; i < words.size(); ++i) {
      if (i > first) made.append(" ", words[i].span.begin);
      made.append(text_of(words[i]));
    }
    return made;
  }

  static size_t text_index(const std::vector<LaunchWord>& words) {
    bool shell = false;
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string_view text = plain_text(words[i]);
      const LauncherRow* row = knowledge::Knowledge::builtin().launcher(text);
      if (row != nullptr && row->role == LauncherRole::program) return 0;
      const bool has_text = words.back().quoted && words.size() > i + 2 &&
                            words.back().beginning().find(' ') != std::string_view::npos;
      if (row != nullptr && row->name == "ssh") return has_text ? words.size() - 1 : 0;
      if (row != nullptr && row->role == LauncherRole::shell) shell = true;
      const bool is_flag = text.starts_with('-') && !text.starts_with("--") &&
                           text.ends_with('c') && text.size() <= 5;
      if (shell && is_flag && i + 1 < words.size()) return i + 1;
      if (text == "stuff" || text == "send-keys" || text == "--wrap")
        return words_in_word(words, i);
    }
    return 0;
  }

  /// The first word behind one that is several words itself.
  static size_t words_in_word(const std::vector<LaunchWord>& words, size_t at) {
    for (size_t i = at + 1; i < words.size(); ++i) {
      if (words[i].beginning().find(' ') != std::string_view::npos) return i;
    }
    return 0;
  }

  void start_text(const LaunchStep& step, const MappedText& text) {
    ShellContext inside = context_;
    inside.contained = inside.contained || step.contained;
    inside.c_shell = false;
    ++inside.depth;
    into_.push_back(entered_by(step));
    for (const LaunchSetting& setting : step.own) {
      LaunchStep set = step_of(LaunchStepKind::set);
      set.name = setting.name;
      set.value = setting.value;
      set.span = setting.span;
      set.exported = true;
      into_.push_back(std::move(set));
    }
    const size_t first = into_.size();
    read_shell(text, inside, into_);
    for (size_t i = first; i < into_.size(); ++i)
      into_[i].small_shared_memory |= step.small_shared_memory;
    add_bare(LaunchStepKind::leave);
  }

  void add_bare(LaunchStepKind kind) {
    LaunchStep step;
    step.kind = kind;
    into_.push_back(std::move(step));
  }

  /// `eval NAME=value "text"`, in this same shell, which puts the words together; `trap "text"`.
  void run_text(bool takes_all) {
    if (words_.size() < 2 || context_.depth >= most_nested) return;
    const bool is_variable =
        words_[1].parts.size() == 1 && words_[1].parts[0].kind == LaunchPart::Kind::variable;
    if (is_variable) {
      words_.erase(words_.begin());
      return start();
    }
    ShellContext inside = context_;
    ++inside.depth;
    read_shell(takes_all ? text_from(words_, 1) : text_of(words_[1]), inside, into_);
  }

  std::vector<LaunchWord> words_;
  const text::Span span_;
  const ShellContext& context_;
  std::vector<LaunchStep>& into_;
  std::vector<LaunchSetting> own_;
  std::vector<bool> appends_;
};

}  // namespace

bool is_shell_program(std::string_view name) {
  const LauncherRow* row = knowledge::Knowledge::builtin().launcher(name);
  return row != nullptr && row->role == LauncherRole::shell;
}

bool is_allocator_variable(std::string_view name) {
  const knowledge::VariableRow* row = knowledge::Knowledge::builtin().variable(name);
  return row != nullptr && row->allocator_string;
}

bool is_cut_list(const LaunchWord& value, std::string_view rest) {
  const std::string_view text = plain_text(value);
  constexpr std::string_view entries = "0123456789,";
  return !text.empty() && text.find_first_not_of(entries) == text.npos && !rest.empty() &&
         rest.find_first_not_of(entries) == rest.npos;
}

bool is_option_text(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) return false;
  const std::string_view key = text.substr(0, colon);
  const auto& keys = knowledge::Knowledge::builtin().allocator_keys();
  return std::ranges::any_of(
      keys, [&](const knowledge::AllocatorKeyRow& row) { return row.name == key; });
}

void read_words(std::vector<LaunchWord> words, text::Span span, const ShellContext& context,
                std::vector<LaunchStep>& into) {
  if (words.empty()) return;
  Command(std::move(words), span, context, into).run();
}

void read_command(std::vector<LaunchWord> words, std::vector<LaunchStep>& into) {
  if (words.empty()) return;
  const text::Span span{words.front().span.begin, words.back().span.end};
  const std::optional<LaunchSetting> setting = setting_in(words[0]);
  if (!setting || !is_known_variable(setting->name))
    return read_words(std::move(words), span, {}, into);
  LaunchStep step;
  step.kind = LaunchStepKind::misstep;
  step.misstep = Misstep::no_shell;
  step.span = words[0].span;
  step.name = setting->name;
  step.value = setting->value;
  into.push_back(std::move(step));
}

}  // namespace vramlint::frontends
