// SPDX-License-Identifier: MIT
//
// YAML that launches: compose files, Kubernetes manifests, workflows, configurations of launchers.
// They differ in their words and agree in their shape: a mapping has an environment (a mapping, a
// list of `K=V`, a list of `name` and `value`) and something that runs in it. An entry whose key is
// the name of a variable that we know sets it, wherever it stands.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "frontends/launch/commands.h"
#include "frontends/launch/heredoc.h"
#include "frontends/launch/launch_languages.h"
#include "frontends/launch/shell.h"
#include "frontends/launch/shell_words.h"
#include "frontends/launch/yaml_shared_memory.h"
#include "knowledge/knowledge.h"
#include "syntax/yaml.h"
#include "text/letter_case.h"

namespace vramlint::frontends {
namespace {

using model::LaunchSetting;
using model::LaunchStep;
using model::LaunchStepKind;
using model::LaunchWord;
using model::Misstep;
using syntax::YamlKind;
using syntax::YamlNode;

/// Nobody nests deeper.
constexpr int most_levels = 60;

template <size_t count>
bool is_one_of(const std::array<std::string_view, count>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_environment(std::string_view key) {
  constexpr std::array<std::string_view, 10> words = {
      "env",      "environment", "envs",    "env_vars",      "ENV_VARS",
      "env-vars", "variables",   "envVars", "container_env", "environment_variables"};
  return is_one_of(words, key);
}

/// Text for a shell, or a list of such lines.
bool is_script(std::string_view key) {
  constexpr std::array<std::string_view, 10> words = {
      "run", "script", "before_script", "after_script",  "commands",
      "cmd", "setup",  "job_script",    "shell_command", "bash"};
  return is_one_of(words, key);
}

/// `shell:` of Ansible holds a command; that of a workflow names a program.
bool is_ansible_shell(const YamlNode& node) {
  if (node.key == "ansible.builtin.shell") return true;
  return node.key == "shell" && node.text.find_first_of(" \n") != std::string::npos &&
         node.text.find("{0}") == std::string::npos;
}

/// The words of one command, or text.
bool is_command(std::string_view key) {
  constexpr std::array<std::string_view, 3> words = {"entrypoint", "command", "args"};
  return is_one_of(words, key);
}

class YamlLaunch {
 public:
  YamlLaunch(const YamlView& view, LaunchSteps& into)
      : view_(view),
        shared_memory_(view),
        bytes_(view.bytes()),
        nodes_(view.nodes()),
        into_(into) {}

  void run() {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].parent < 0) visit(i, 0);
    }
  }

 private:
  void visit(size_t index, int level) {
    if (level > most_levels) return;
    if (nodes_[index].kind == YamlKind::mapping) return visit_mapping(index, level);
    if (nodes_[index].kind != YamlKind::sequence) return;
    for (const size_t child : view_.children(index)) visit(child, level + 1);
  }

  void visit_mapping(size_t index, int level) {
    add_bare(LaunchStepKind::enter);
    for (const size_t child : view_.children(index)) {
      if (is_environment(nodes_[child].key)) read_environment(child);
      if (is_variable(nodes_[child])) set(nodes_[child], nodes_[child].key, key_and_value(child));
    }
    const size_t first = into_.size();
    run_commands(index);
    for (const size_t child : view_.children(index)) {
      const bool is_text = is_ansible_shell(nodes_[child]) && !view_.has_key(index, "run");
      if (is_script(nodes_[child].key) || is_text) read_script(child);
    }
    const bool is_small =
        shared_memory_.is_small_in(index) || (in_small_container_ && view_.has_key(index, "run"));
    for (size_t i = first; i < into_.size(); ++i)
      into_[i].small_shared_memory |= is_small && !into_[i].contained;
    const bool was_small = std::exchange(
        in_small_container_, in_small_container_ || shared_memory_.is_small_in_job(index));
    for (const size_t child : view_.children(index)) {
      if (!is_environment(nodes_[child].key)) visit(child, level + 1);
    }
    in_small_container_ = was_small;
    if (is_step_before_others(index)) note_lost_with_shell(into_, first, Misstep::own_shell);
    if (is_last_step(index)) note_for_nobody(first);
    add_bare(LaunchStepKind::leave);
    hand_on(first);
  }

  /// A step of a GitHub workflow, with a shell of its own, that is not the last of its list.
  bool is_step_before_others(size_t index) const {
    const int32_t list = nodes_[index].parent;
    if (list < 0 || !view_.has_key(index, "run")) return false;
    return nodes_[static_cast<size_t>(list)].key == "steps" &&
           view_.children(static_cast<size_t>(list)).back() != index;
  }

  /// The last step of a job. What a composite action sets goes on behind its last step.
  bool is_last_step(size_t index) const {
    const int32_t list = nodes_[index].parent;
    if (list < 0 || !view_.has_key(index, "run")) return false;
    return nodes_[static_cast<size_t>(list)].key == "steps" &&
           view_.children(static_cast<size_t>(list)).back() == index && !is_composite_;
  }

  /// What the last step sets for later ones, with the program for which it was meant below.
  void note_for_nobody(size_t first) {
    bool runs = false;
    for (size_t i = into_.size(); i-- > first;) {
      LaunchStep& step = into_[i];
      runs = runs || (step.kind == LaunchStepKind::start && runs_python(step));
      if (!step.for_later || !runs || is_exported_too(step.name, first)) continue;
      step.kind = LaunchStepKind::misstep;
      step.misstep = Misstep::later_steps;
      step.for_later = false;
    }
  }

  /// Whether the step sets a variable for its own programs as well.
  bool is_exported_too(std::string_view name, size_t first) const {
    return std::any_of(into_.begin() + static_cast<std::ptrdiff_t>(first), into_.end(),
                       [&](const LaunchStep& step) {
                         const bool sets = step.kind == LaunchStepKind::set && !step.for_later;
                         return (sets || step.kind == LaunchStepKind::publish) && step.name == name;
                       });
  }

  static bool runs_python(const LaunchStep& step) {
    return !step.words.empty() && std::ranges::any_of(step.words, [](const LaunchWord& word) {
      const std::string* plain = word.plain();
      const knowledge::LauncherRow* row =
          plain == nullptr ? nullptr : knowledge::Knowledge::builtin().launcher(*plain);
      return row != nullptr && row->role == knowledge::LauncherRole::program;
    });
  }

  /// What a step sets for those below it: out of what is forgotten with it.
  void hand_on(size_t first) {
    const size_t end = into_.size();
    for (size_t i = first; i < end; ++i) {
      if (!into_[i].for_later) continue;
      LaunchStep step = std::exchange(into_[i], {});
      into_[i].kind = LaunchStepKind::start;  // of nothing
      step.for_later = false;
      into_.push_back(std::move(step));
    }
  }

  static bool is_variable(const YamlNode& node) {
    return node.kind == YamlKind::scalar &&
           knowledge::Knowledge::builtin().variable(node.key) != nullptr;
  }

  void add_bare(LaunchStepKind kind) {
    LaunchStep step;
    step.kind = kind;
    into_.push_back(std::move(step));
  }

  text::Span key_and_value(size_t index) const {
    return {nodes_[index].key_span.begin, nodes_[index].span.end};
  }

  /// Nothing as a value stands for the host's own, as no value does.
  static bool is_null(const YamlNode& value) {
    return !value.quoted && (value.text == "null" || value.text == "Null" || value.text == "NULL" ||
                             value.text == "~");
  }

  void set(const YamlNode& value, std::string name, text::Span span) {
    if (is_null(value)) return;
    LaunchStep step;
    step.kind = LaunchStepKind::set;
    step.span = span;
    step.name = std::move(name);
    step.value = word_with_variables(text_of_scalar(value));
    step.value.quoted = value.quoted;
    if (value.text.empty()) step.value.span = step.value.inner = value.span;
    step.exported = true;
    into_.push_back(std::move(step));
  }

  void read_environment(size_t index) {
    const YamlNode& node = nodes_[index];
    const bool is_refused = node.kind == YamlKind::mapping && node.key == "env" &&
                            view_.is_pod_container(static_cast<size_t>(node.parent));
    if (is_refused) return add_refused(index);
    for (const size_t child : view_.children(index)) {
      const YamlNode& entry = nodes_[child];
      if (node.kind == YamlKind::mapping && entry.kind == YamlKind::scalar) {
        set(entry, entry.key, key_and_value(child));
      } else if (node.kind == YamlKind::sequence && entry.kind == YamlKind::scalar) {
        read_assignment(entry);
      } else if (entry.kind == YamlKind::mapping && is_of_service(index)) {
        read_mapping_entry(child);
      } else if (entry.kind == YamlKind::mapping) {
        read_name_and_value(child);
        for (const size_t inner : view_.children(child)) {
          if (is_variable(nodes_[inner]))
            set(nodes_[inner], nodes_[inner].key, key_and_value(inner));
        }
      }
    }
  }

  /// `env: {NAME: value}`, where Kubernetes wants a list.
  void add_refused(size_t index) {
    for (const size_t child : view_.children(index)) {
      if (!is_variable(nodes_[child])) continue;
      LaunchStep step;
      step.kind = LaunchStepKind::misstep;
      step.misstep = Misstep::mapping_for_list;
      step.span = key_and_value(child);
      step.name = nodes_[child].key;
      return into_.push_back(std::move(step));
    }
  }

  /// Whether an environment is that of a service of a compose file.
  bool is_of_service(size_t index) const {
    if (nodes_[index].key != "environment") return false;
    int32_t around = nodes_[index].parent;
    if (around >= 0) around = nodes_[static_cast<size_t>(around)].parent;
    return around >= 0 && nodes_[static_cast<size_t>(around)].key == "services";
  }

  /// `- NAME: value`, which compose refuses: its list holds texts.
  void read_mapping_entry(size_t index) {
    for (const size_t child : view_.children(index)) {
      if (!is_variable(nodes_[child])) continue;
      LaunchStep step;
      step.kind = LaunchStepKind::misstep;
      step.misstep = Misstep::mapping_entry;
      step.span = key_and_value(child);
      step.name = nodes_[child].key;
      into_.push_back(std::move(step));
    }
  }

  /// `- NAME = value`, `- NAME:value`: the name of a variable that nobody has.
  void read_misspelt(const YamlNode& entry) {
    size_t end = 0;
    while (end < entry.text.size() && is_name_byte(entry.text[end])) ++end;
    const size_t sign = entry.text.find_first_not_of(' ', end);
    if (sign == std::string::npos || (entry.text[sign] != '=' && entry.text[sign] != ':')) return;
    LaunchStep step;
    step.kind = LaunchStepKind::misstep;
    step.misstep = entry.text[sign] == '=' ? Misstep::spaces : Misstep::no_equals;
    step.span = entry.span;
    step.name = entry.text.substr(0, end);
    into_.push_back(std::move(step));
  }

  /// `- NAME=value`: quotes inside are part of the value.
  void read_assignment(const YamlNode& entry) {
    const std::optional<LaunchSetting> setting =
        setting_in(word_with_variables(text_of_scalar(entry)));
    if (!setting) return read_misspelt(entry);
    LaunchStep step;
    step.kind = LaunchStepKind::set;
    step.span = entry.span;
    step.name = setting->name;
    step.value = setting->value;
    step.exported = true;
    const std::string* plain = step.value.plain();
    const bool keeps = plain != nullptr && plain->size() >= 2 && plain->back() == plain->front() &&
                       (plain->front() == '"' || plain->front() == '\'');
    if (keeps) {
      LaunchWord inner = word_behind(step.value, 1);
      inner = word_before(inner, plain->size() - 2);
      step.value = std::move(inner);
    }
    into_.push_back(step);
    if (!keeps) return;
    step.kind = LaunchStepKind::misstep;
    step.misstep = Misstep::quotes_kept;
    into_.push_back(std::move(step));
  }

  /// `- name: NAME` with `value: …`.
  void read_name_and_value(size_t index) {
    const YamlNode* name = nullptr;
    const YamlNode* value = nullptr;
    for (const size_t child : view_.children(index)) {
      if (nodes_[child].kind != YamlKind::scalar) continue;
      if (nodes_[child].key == "name") name = &nodes_[child];
      if (nodes_[child].key == "value") value = &nodes_[child];
    }
    if (name == nullptr || value == nullptr) return;
    const text::Span span{std::min(name->key_span.begin, value->key_span.begin),
                          std::max(name->span.end, value->span.end)};
    set(*value, name->text, span);
    if (!is_no_text(*value) || !is_of_pod(index)) return;
    LaunchStep step = into_.back();
    step.kind = LaunchStepKind::misstep;
    step.misstep = Misstep::not_text;
    into_.push_back(std::move(step));
  }

  /// Whether an entry of a list is one of `env` of a pod's container.
  bool is_of_pod(size_t index) const {
    const int32_t list = nodes_[index].parent;
    if (list < 0 || nodes_[static_cast<size_t>(list)].key != "env") return false;
    return view_.is_pod_container(static_cast<size_t>(nodes_[static_cast<size_t>(list)].parent));
  }

  /// A number, `true` or `no`, without quotes.
  static bool is_no_text(const YamlNode& value) {
    if (value.quoted || value.block || value.text.empty()) return false;
    const std::string text = text::lower(value.text);
    constexpr std::array<std::string_view, 6> words = {"true", "false", "yes", "no", "on", "off"};
    const std::string_view digits = std::string_view(text).substr(text[0] == '-' ? 1 : 0);
    const bool is_number = !digits.empty() && digits[0] != '.' &&
                           digits.find_first_not_of("0123456789.") == std::string_view::npos &&
                           std::ranges::count(digits, '.') <= 1;
    return is_number || is_one_of(words, text);
  }

  /// The words of `entrypoint`, `command` and `args` make one command.
  void run_commands(size_t index) {
    std::vector<LaunchWord> words;
    bool has_program = false;  // `args` alone are for the program of the image
    for (const std::string_view key : {"entrypoint", "command", "args"}) {
      for (const size_t child : view_.children(index)) {
        const YamlNode& node = nodes_[child];
        if (node.key != key || !is_command(key)) continue;
        if (node.kind == YamlKind::scalar && key == "entrypoint" && has_list(index)) {
          has_program |= add_split(node, words);
        } else if (node.kind == YamlKind::scalar) {
          read_command_text(index, node);
        } else if (node.kind == YamlKind::sequence) {
          has_program |= key == "entrypoint" || (key == "command" && begins_with_command(index));
          add_words(child, words);
        }
      }
    }
    if (words.empty()) return;
    if (has_program) return read_command(std::move(words), into_);
    if (setting_in(words.front())) return;  // for whatever runs it
    const text::Span span{words.front().span.begin, words.back().span.end};
    read_words(std::move(words), span, {}, into_);
  }

  /// `command: python x.py`. Compose cuts the text at blanks, and no shell reads it.
  void read_command_text(size_t index, const YamlNode& node) {
    const MappedText text = text_of_scalar(node);
    std::vector<LaunchWord> words;
    ShellWords reader(text);
    for (reader.skip_blanks(); !reader.ended() && words.size() < 2; reader.skip_blanks()) {
      const size_t before = reader.at();
      words.push_back(reader.read());
      if (reader.at() == before) break;
    }
    if (words.size() == 2 && words[0].beginning() == "export") words.erase(words.begin());
    const std::optional<LaunchSetting> setting =
        words.empty() ? std::nullopt : setting_in(words.front());
    const bool is_taken = setting && view_.is_service(index) &&
                          !view_.has_key(index, "entrypoint") && begins_with_command(index) &&
                          knowledge::Knowledge::builtin().variable(setting->name) != nullptr;
    if (!is_taken) return read_shell(text, {}, into_);
    words.resize(1);
    read_command(std::move(words), into_);
  }

  /// Whether `command` begins with the program itself: no entrypoint stands before it that comes
  /// from elsewhere, from a Dockerfile or by a merge, say.
  bool begins_with_command(size_t index) const {
    const YamlNode* own = view_.member(static_cast<int32_t>(index), "entrypoint");
    if (own != nullptr && !is_null(*own)) return true;
    constexpr std::array<std::string_view, 3> others = {"<<", "extends", "build"};
    const bool may_have = std::ranges::any_of(
        others, [&](std::string_view key) { return view_.has_key(index, key); });
    const bool has_image = !view_.is_service(index) || view_.has_key(index, "image");
    // `x-common: &common` is merged into services.
    return has_image && !may_have && !nodes_[index].key.starts_with("x-");
  }

  bool has_list(size_t index) const {
    const YamlNode* command = view_.member(static_cast<int32_t>(index), "command");
    return command != nullptr && command->kind == YamlKind::sequence;
  }

  /// `entrypoint: bash -c`, which is cut at its blanks; whether it names a program.
  bool add_split(const YamlNode& node, std::vector<LaunchWord>& words) const {
    if (is_null(node)) return false;
    const MappedText text = text_of_scalar(node);
    const size_t before = words.size();
    ShellWords reader(text);
    for (reader.skip_blanks(); !reader.ended(); reader.skip_blanks()) {
      const size_t at = reader.at();
      words.push_back(reader.read());
      if (reader.at() == at) {
        words.pop_back();
        break;
      }
    }
    return words.size() > before;
  }

  void add_words(size_t sequence, std::vector<LaunchWord>& words) const {
    for (const size_t child : view_.children(sequence)) {
      const YamlNode& node = nodes_[child];
      if (node.kind != YamlKind::scalar) continue;
      LaunchWord word = word_with_variables(text_of_scalar(node));
      word.span = node.span;
      word.quoted = true;
      words.push_back(std::move(word));
    }
  }

  /// The machine that runs what stands in a mapping, as GitHub and Azure write it.
  std::string runner_of(int32_t mapping) const {
    const YamlNode* runner = view_.member(mapping, "runs-on");
    if (runner == nullptr) runner = view_.member(mapping, "pool");
    if (runner == nullptr) return "";
    std::string words = runner->text;
    for (const size_t child : view_.children(view_.place_of(runner)))
      words += " " + nodes_[child].text;
    return words;
  }

  /// Whether a step is for another shell: by its own word, by a default around it, or since it runs
  /// on Windows.
  bool is_for_other_shell(size_t step) const {
    if (nodes_[step].key == "bash" || is_ansible_shell(nodes_[step])) return false;
    const auto is_other = [](const YamlNode* shell) {
      return shell != nullptr && shell->text.find("bash") == std::string::npos &&
             !shell->text.starts_with("sh");
    };
    const int32_t mapping = nodes_[step].parent;
    if (mapping < 0) return false;
    if (const YamlNode* own = view_.member(mapping, "shell")) return is_other(own);
    for (int32_t around = mapping; around >= 0;
         around = nodes_[static_cast<size_t>(around)].parent) {
      const YamlNode* defaults = view_.member(around, "defaults");
      const auto place = [&](const YamlNode* node) {
        return node == nullptr ? -1 : static_cast<int32_t>(view_.place_of(node));
      };
      const YamlNode* run = view_.member(place(defaults), "run");
      if (const YamlNode* shell = view_.member(place(run), "shell")) return is_other(shell);
      if (runner_of(around).find("win") != std::string::npos) return true;
    }
    return false;
  }

  /// Whether the machine of a step is one of several, some of them with Windows.
  bool may_run_on_windows(size_t step) const {
    if (!names_windows_) return false;
    for (int32_t around = nodes_[step].parent; around >= 0;
         around = nodes_[static_cast<size_t>(around)].parent) {
      if (runner_of(around).find('$') != std::string::npos) return true;
    }
    return false;
  }

  /// `shell: python` beside `run: |`: the text is a program.
  bool read_python(size_t index) {
    const YamlNode& node = nodes_[index];
    const YamlNode* shell = node.key == "run" ? view_.member(node.parent, "shell") : nullptr;
    if (shell == nullptr || (shell->text != "python" && shell->text != "python {0}")) return false;
    if (!node.block || !bytes_.substr(node.span.begin).starts_with('|')) return true;
    const MappedText text = text_of_scalar(node);
    const size_t begin = std::min(text.text().find_first_not_of('\n'), text.text().size());
    LaunchStep step;
    step.span = shell->span;
    step.words = {plain_word("python", shell->span.begin), plain_word("-", shell->span.begin)};
    step.input = lines_in(text, begin, text.text().size());
    into_.push_back(std::move(step));
    return true;
  }

  void read_script(size_t index) {
    if (read_python(index) || is_for_other_shell(index)) return;
    const YamlNode& node = nodes_[index];
    ShellContext context;
    context.perhaps_cmd = may_run_on_windows(index);
    if (node.kind == YamlKind::scalar) return read_shell(text_of_scalar(node), context, into_);
    if (node.kind != YamlKind::sequence) return;
    for (const size_t child : view_.children(index)) {
      if (nodes_[child].kind == YamlKind::scalar)
        read_shell(text_of_scalar(nodes_[child]), context, into_);
    }
  }

  MappedText text_of_scalar(const YamlNode& node) const { return view_.text_of(node); }

  const YamlView& view_;
  const YamlSharedMemory shared_memory_;
  std::string_view bytes_;
  const bool is_composite_ = bytes_.find("composite") != std::string_view::npos;
  const bool names_windows_ = bytes_.find("windows") != std::string_view::npos;
  const std::vector<YamlNode>& nodes_;
  LaunchSteps& into_;
  bool in_small_container_ = false;  ///< the job does, with the `/dev/shm` that it has by itself
};

}  // namespace

void read_yaml_file(std::string_view bytes, LaunchSteps& into) {
  const YamlView view(bytes, syntax::read_yaml(bytes));
  YamlLaunch(view, into).run();
}

}  // namespace vramlint::frontends
