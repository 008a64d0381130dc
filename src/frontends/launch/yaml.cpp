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
#include "frontends/launch/launch_languages.h"
#include "frontends/launch/shell.h"
#include "frontends/launch/shell_words.h"
#include "knowledge/knowledge.h"
#include "syntax/yaml.h"

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
  YamlLaunch(std::string_view bytes, std::vector<YamlNode> nodes, LaunchSteps& into)
      : bytes_(bytes), nodes_(std::move(nodes)), into_(into) {
    children_.resize(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].parent >= 0) children_[static_cast<size_t>(nodes_[i].parent)].push_back(i);
    }
    // What is merged in, or shared by a whole pod, may enlarge it.
    const auto has = [&](std::string_view text) { return bytes.find(text) != bytes.npos; };
    has_default_shared_memory_ = !has("shm") && !has("ipc") && !has("hostIPC") && !has("<<:");
  }

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
    for (const size_t child : children_[index]) visit(child, level + 1);
  }

  void visit_mapping(size_t index, int level) {
    add_bare(LaunchStepKind::enter);
    for (const size_t child : children_[index]) {
      if (is_environment(nodes_[child].key)) read_environment(child);
      if (is_variable(nodes_[child])) set(nodes_[child], nodes_[child].key, key_and_value(child));
    }
    const size_t first = into_.size();
    run_commands(index);
    for (const size_t child : children_[index]) {
      const bool is_text = is_ansible_shell(nodes_[child]) && !has_key(index, "run");
      if (is_script(nodes_[child].key) || is_text) read_script(child);
    }
    const bool is_container = has_key(index, "image");
    for (size_t i = first; i < into_.size(); ++i)
      into_[i].small_shared_memory = is_container && has_default_shared_memory_;
    for (const size_t child : children_[index]) {
      if (!is_environment(nodes_[child].key)) visit(child, level + 1);
    }
    if (is_step_before_others(index)) note_lost_with_shell(into_, first, Misstep::own_shell);
    add_bare(LaunchStepKind::leave);
    hand_on(first);
  }

  /// A step of a GitHub workflow, with a shell of its own, that is not the last of its list.
  bool is_step_before_others(size_t index) const {
    const int32_t list = nodes_[index].parent;
    if (list < 0 || !has_key(index, "run")) return false;
    return nodes_[static_cast<size_t>(list)].key == "steps" &&
           children_[static_cast<size_t>(list)].back() != index;
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

  bool has_key(size_t mapping, std::string_view key) const {
    return std::ranges::any_of(children_[mapping],
                               [&](size_t child) { return nodes_[child].key == key; });
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
    for (const size_t child : children_[index]) {
      const YamlNode& entry = nodes_[child];
      if (node.kind == YamlKind::mapping && entry.kind == YamlKind::scalar) {
        set(entry, entry.key, key_and_value(child));
      } else if (node.kind == YamlKind::sequence && entry.kind == YamlKind::scalar) {
        read_assignment(entry);
      } else if (entry.kind == YamlKind::mapping) {
        read_name_and_value(child);
        for (const size_t inner : children_[child]) {
          if (is_variable(nodes_[inner]))
            set(nodes_[inner], nodes_[inner].key, key_and_value(inner));
        }
      }
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
    for (const size_t child : children_[index]) {
      if (nodes_[child].kind != YamlKind::scalar) continue;
      if (nodes_[child].key == "name") name = &nodes_[child];
      if (nodes_[child].key == "value") value = &nodes_[child];
    }
    if (name == nullptr || value == nullptr) return;
    const text::Span span{std::min(name->key_span.begin, value->key_span.begin),
                          std::max(name->span.end, value->span.end)};
    set(*value, name->text, span);
  }

  /// The words of `entrypoint`, `command` and `args` make one command.
  void run_commands(size_t index) {
    std::vector<LaunchWord> words;
    bool has_program = false;  // `args` alone are for the program of the image
    for (const std::string_view key : {"entrypoint", "command", "args"}) {
      for (const size_t child : children_[index]) {
        const YamlNode& node = nodes_[child];
        if (node.key != key || !is_command(key)) continue;
        if (node.kind == YamlKind::scalar) {
          read_shell(text_of_scalar(node), {}, into_);
        } else if (node.kind == YamlKind::sequence) {
          has_program |= key != "args";
          add_words(child, words);
        }
      }
    }
    if (words.empty()) return;
    if (has_program) return read_command(std::move(words), into_);
    const text::Span span{words.front().span.begin, words.back().span.end};
    read_words(std::move(words), span, {}, into_);
  }

  void add_words(size_t sequence, std::vector<LaunchWord>& words) const {
    for (const size_t child : children_[sequence]) {
      const YamlNode& node = nodes_[child];
      if (node.kind != YamlKind::scalar) continue;
      LaunchWord word = word_with_variables(text_of_scalar(node));
      word.span = node.span;
      word.quoted = true;
      words.push_back(std::move(word));
    }
  }

  const YamlNode* member(int32_t mapping, std::string_view key) const {
    if (mapping < 0) return nullptr;
    const auto index = static_cast<size_t>(mapping);
    if (nodes_[index].kind != YamlKind::mapping) return nullptr;  // lists may be long
    for (const size_t child : children_[index]) {
      if (nodes_[child].key == key) return &nodes_[child];
    }
    return nullptr;
  }

  /// The machine that runs what stands in a mapping, as GitHub and Azure write it.
  std::string runner_of(int32_t mapping) const {
    const YamlNode* runner = member(mapping, "runs-on");
    if (runner == nullptr) runner = member(mapping, "pool");
    if (runner == nullptr) return "";
    std::string words = runner->text;
    for (const size_t child : children_[place_of(runner)]) words += " " + nodes_[child].text;
    return words;
  }

  size_t place_of(const YamlNode* node) const { return static_cast<size_t>(node - nodes_.data()); }

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
    if (const YamlNode* own = member(mapping, "shell")) return is_other(own);
    for (int32_t around = mapping; around >= 0;
         around = nodes_[static_cast<size_t>(around)].parent) {
      const YamlNode* defaults = member(around, "defaults");
      const auto place = [&](const YamlNode* node) {
        return node == nullptr ? -1 : static_cast<int32_t>(place_of(node));
      };
      const YamlNode* run = member(place(defaults), "run");
      if (const YamlNode* shell = member(place(run), "shell")) return is_other(shell);
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

  void read_script(size_t index) {
    if (is_for_other_shell(index)) return;
    const YamlNode& node = nodes_[index];
    ShellContext context;
    context.perhaps_cmd = may_run_on_windows(index);
    if (node.kind == YamlKind::scalar) return read_shell(text_of_scalar(node), context, into_);
    if (node.kind != YamlKind::sequence) return;
    for (const size_t child : children_[index]) {
      if (nodes_[child].kind == YamlKind::scalar)
        read_shell(text_of_scalar(nodes_[child]), context, into_);
    }
  }

  /// The text of a scalar as YAML has it: lines without their indent, escapes undone.
  MappedText text_of_scalar(const YamlNode& node) const {
    const std::string_view all = bytes_.substr(node.span.begin, node.span.size());
    if (node.block) return block_text(all, node.span.begin);
    MappedText made;
    if (!node.quoted) {
      add_folded(all, node.span.begin, made);
      return made;
    }
    const char quote = all.front();
    const std::string_view inner = all.size() >= 2 ? all.substr(1, all.size() - 2) : "";
    for (size_t i = 0; i < inner.size(); ++i) {
      const auto origin = static_cast<uint32_t>(node.span.begin + 1 + i);
      const bool escapes = quote == '"' && inner[i] == '\\' && i + 1 < inner.size();
      if (escapes) {
        ++i;
        made.append(inner[i] == 'n'   ? "\n"
                    : inner[i] == 't' ? "\t"
                                      : inner.substr(i, 1),
                    origin + 1);
      } else {
        made.append(inner[i] == '\n' ? " " : inner.substr(i, 1), origin);
        if (quote == '\'' && inner.substr(i).starts_with("''")) ++i;
      }
    }
    return made;
  }

  /// Line ends inside a scalar stand for blanks.
  static void add_folded(std::string_view text, uint32_t origin, MappedText& made) {
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      made.append(text.substr(at, end - at), origin + static_cast<uint32_t>(at));
      if (end < text.size()) made.append(" ", origin + static_cast<uint32_t>(end));
      at = end + 1;
    }
  }

  static MappedText block_text(std::string_view all, uint32_t origin) {
    MappedText made;
    const bool folds = all.starts_with('>');
    size_t at = std::min(all.find('\n'), all.size());
    std::optional<size_t> indent;
    while (at < all.size()) {
      ++at;
      const size_t end = std::min(all.find('\n', at), all.size());
      const std::string_view line = all.substr(at, end - at);
      const size_t blanks = line.find_first_not_of(' ');
      if (blanks != std::string_view::npos) {
        if (!indent) indent = blanks;
        const size_t cut = std::min(*indent, blanks);
        made.append(line.substr(cut), origin + static_cast<uint32_t>(at + cut));
      }
      if (end < all.size()) made.append(folds ? " " : "\n", origin + static_cast<uint32_t>(end));
      at = end;
    }
    return made;
  }

  std::string_view bytes_;
  const bool names_windows_ = bytes_.find("windows") != std::string_view::npos;
  std::vector<YamlNode> nodes_;
  std::vector<std::vector<size_t>> children_;
  LaunchSteps& into_;
  bool has_default_shared_memory_ = false;
};

}  // namespace

void read_yaml_file(std::string_view bytes, LaunchSteps& into) {
  YamlLaunch(bytes, syntax::read_yaml(bytes), into).run();
}

}  // namespace vramlint::frontends
