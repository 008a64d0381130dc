// SPDX-License-Identifier: MIT
//
// Options that hand variables to a program: `env K=V`, `docker run -e K=V`, `mpirun -x K=V`,
// `srun --export=ALL,K=V`, and JSON maps such as `--runtime-env-json '{"env_vars": {"K": "V"}}'`;
// and what a container is given of `/dev/shm`.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "frontends/launch/commands.h"
#include "frontends/launch/launcher_words.h"
#include "frontends/launch/memory_size.h"
#include "frontends/launch/shell_words.h"
#include "knowledge/knowledge.h"

namespace vramlint::frontends {

using knowledge::LauncherRole;
using knowledge::LauncherRow;
using model::LaunchPart;
using model::LaunchSetting;
using model::LaunchStep;
using model::LaunchWord;

namespace {

std::string_view plain_text(const LaunchWord& word) {
  const std::string* plain = word.plain();
  return plain == nullptr ? std::string_view() : std::string_view(*plain);
}

/// The value of an option: `-e K=V`, `--env=K=V`, `-xK=V`; moves on to the word that has it.
std::optional<LaunchWord> option_value(const std::vector<LaunchWord>& words, size_t& at,
                                       std::string_view name) {
  const std::string_view text = words[at].beginning();
  if (!text.starts_with(name)) return std::nullopt;
  if (text.size() == name.size() && words[at].parts.size() <= 1) {
    if (at + 1 >= words.size()) return std::nullopt;
    return words[++at];
  }
  const std::string_view rest = text.substr(name.size());
  if (rest.starts_with('=')) return word_behind(words[at], name.size() + 1);
  const bool joins = !name.starts_with("--") && name.size() == 2;
  if (joins && !rest.empty()) return word_behind(words[at], name.size());
  return std::nullopt;
}

void hand_over(const LaunchWord& word, LaunchStep& start) {
  if (std::optional<LaunchSetting> setting = setting_in(word)) {
    start.own.push_back(std::move(*setting));
  } else if (word.plain() != nullptr) {
    start.passed_on.push_back(*word.plain());
  }
}

/// `ALL,K=V,L=W`: a comma begins the next variable, also inside an allocator string.
void read_export_list(const LaunchWord& word, LaunchStep& start) {
  const std::string_view text = word.beginning();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    hand_over(word_before(word_behind(word, at), end - at), start);
    at = end + 1;
  }
}

/// `-uE`: letters behind one `-`.
bool is_short_options(std::string_view text) {
  return text.size() > 1 && text[0] == '-' && text[1] != '-';
}

/// A list without `ALL` hands on nothing but what it names.
bool withholds_rest(const LaunchWord& list) {
  const std::string* plain = list.plain();
  return plain != nullptr && plain->find("ALL") == std::string::npos;
}

/// `env -i`, `env -u NAME`; whether the word was such an option.
bool read_env_option(LaunchStep& start, size_t& at) {
  const std::string_view text = start.words[at].beginning();
  constexpr std::string_view unset = "--unset=";
  if (text == "-i" || text == "-" || text == "--ignore-environment") {
    if (const LauncherRow* row = knowledge::Knowledge::builtin().launcher("env"))
      withhold_all(start, *row);
  } else if (text == "-u" && at + 1 < start.words.size()) {
    start.withheld.emplace_back(plain_text(start.words[++at]));
  } else if (text.starts_with(unset)) {
    start.withheld.emplace_back(text.substr(unset.size()));
  }
  return text.starts_with('-');
}

/// `sudo -E`, `sudo --preserve-env=NAME,…`; whether the word was an option.
bool read_sudo_option(LaunchStep& start, size_t& at) {
  const std::string_view text = start.words[at].beginning();
  const LauncherRow* row = knowledge::Knowledge::builtin().launcher("sudo");
  constexpr std::string_view list = "--preserve-env=";
  if (text == "--preserve-env" || (is_short_options(text) && text.find('E') != text.npos)) {
    std::erase(start.withheld, model::withholds_all);
  } else if (text.starts_with(list)) {
    read_export_list(word_behind(start.words[at], list.size()), start);
  } else if (row != nullptr && std::ranges::find(row->valued, text) != row->valued.end()) {
    ++at;
  }
  return text.starts_with('-');
}

/// Assignments in front of the program, between options.
void read_assignments(const LauncherRow& row, LaunchStep& start, size_t at) {
  if (row.withholds) withhold_all(start, row);
  for (size_t i = at + 1; i < start.words.size(); ++i) {
    const bool is_option =
        row.name == "env" ? read_env_option(start, i) : read_sudo_option(start, i);
    if (is_option) continue;
    const std::optional<LaunchSetting> setting = setting_in(start.words[i]);
    if (!setting) return;
    start.own.push_back(*setting);
  }
}

bool is_listed(std::span<const std::string_view> options, std::string_view text) {
  return std::ranges::find(options, text.substr(0, text.find('='))) != options.end();
}

/// `apptainer exec --cleanenv`, `su -`: its own options end where another program is named.
void read_withholding(const LauncherRow& row, LaunchStep& start, size_t at) {
  bool keeps = false;
  bool withholds = row.withholds;
  for (size_t i = at + 1; i < start.words.size(); ++i) {
    const std::string_view text = start.words[i].beginning();
    const LauncherRow* other = knowledge::Knowledge::builtin().launcher(plain_text(start.words[i]));
    const bool is_verb = is_listed(row.verbs, plain_text(start.words[i]));
    if (other != nullptr && !is_verb) break;
    withholds = withholds || is_listed(row.withholding, plain_text(start.words[i]));
    keeps = keeps || std::ranges::any_of(row.keeping, [&](std::string_view option) {
              return text.find(option) != std::string_view::npos;
            });
  }
  if (withholds && !keeps) withhold_all(start, row);
}

void read_wrapper(const LauncherRow& row, LaunchStep& start, size_t at) {
  const std::string_view name = row.name;
  if (name == "env" || name == "sudo") return read_assignments(row, start, at);
  if (!row.withholding.empty() || row.withholds) read_withholding(row, start, at);
  std::vector<LaunchWord>& words = start.words;
  for (size_t i = at + 1; i < words.size(); ++i) {
    const std::string_view text = words[i].beginning();
    std::optional<LaunchWord> value;
    if (name == "srun" || name == "sbatch") {
      if ((value = option_value(words, i, "--export"))) read_export_list(*value, start);
      if (value && withholds_rest(*value)) withhold_all(start, row);
    } else if (name == "singularity" || name == "apptainer") {
      if ((value = option_value(words, i, "--env"))) read_export_list(*value, start);
      continue;
    } else if (name.starts_with("mpi")) {
      if ((value = option_value(words, i, "-x"))) hand_over(*value, start);
    }
    if (!value && !text.starts_with('-') && !words[i - 1].beginning().starts_with('-')) return;
  }
}

/// The value of an option of its own or of the next word; nothing for other words.
std::optional<std::string_view> value_of(const std::vector<LaunchWord>& words, size_t at,
                                         std::string_view option) {
  const std::string_view text = words[at].beginning();
  if (!text.starts_with(option)) return std::nullopt;
  if (text.size() > option.size() && text[option.size()] != '=') return std::nullopt;
  if (text.size() > option.size()) {
    const std::string_view whole = plain_text(words[at]);
    return whole.substr(std::min(option.size() + 1, whole.size()));
  }
  return at + 1 < words.size() ? plain_text(words[at + 1]) : std::string_view();
}

/// Options of `docker run` that leave more than the 64 MB of `/dev/shm`.
bool enlarges_shared_memory(const std::vector<LaunchWord>& words, size_t at) {
  constexpr std::array<std::string_view, 3> own = {"private", "shareable", "none"};
  if (const auto size = value_of(words, at, "--shm-size"))
    return !is_small_shared_memory(*size, SizeUnits::docker);
  if (const auto ipc = value_of(words, at, "--ipc"))
    return std::ranges::find(own, *ipc) == own.end();
  return std::ranges::any_of(words[at].parts, [](const LaunchPart& part) {
    return part.kind == LaunchPart::Kind::text && part.text.find("/dev/shm") != std::string::npos;
  });
}

/// Short options of `docker run` and `docker exec` that take no value, and long ones.
bool stands_alone(std::string_view option) {
  constexpr std::array<std::string_view, 12> words = {
      "--detach",     "--init",        "--interactive", "--no-healthcheck",
      "--privileged", "--publish-all", "--read-only",   "--rm",
      "--sig-proxy",  "--tty",         "--quiet",       "--oom-kill-disable"};
  if (option.starts_with("--"))
    return option.find('=') != std::string_view::npos ||
           std::ranges::find(words, option) != words.end();
  return option.substr(1).find_first_not_of("itdPq") == std::string_view::npos;
}

/// `"${OPTIONS[@]}"`, which quotes leave in pieces.
bool is_array(const LaunchWord& word) {
  return !word.parts.empty() && word.parts.front().kind == LaunchPart::Kind::unknown &&
         !word.parts.front().text.empty();
}

/// Whether options of the command itself end with the image, and where it stands; `words.size()`
/// when that can't be told.
size_t image_index(const std::vector<LaunchWord>& words, size_t at) {
  const std::string_view verb = at + 1 < words.size() ? plain_text(words[at + 1]) : "";
  if (plain_text(words[at]) == "kubectl") {
    // `kubectl exec pod -- python x.py`
    const auto mark = std::ranges::find_if(
        words, [](const LaunchWord& word) { return plain_text(word) == "--"; });
    return verb == "exec" ? static_cast<size_t>(mark - words.begin()) : words.size();
  }
  if (verb != "run" && verb != "create" && verb != "exec") return words.size();
  for (size_t i = at + 2; i < words.size(); ++i) {
    const std::string_view text = words[i].beginning();
    if (text.starts_with('-')) {
      const bool joined = text.size() > 2 && text[1] == 'e' && text.find('=') != text.npos;
      if (!joined && !stands_alone(text)) ++i;
    } else if (words[i].plain() != nullptr || (words[i].quoted && !is_array(words[i]))) {
      return i;
    } else {
      return words.size();
    }
  }
  return words.size();
}

/// What is written as an option behind the image, where it is for the program: right behind it, or
/// behind Python.
std::vector<LaunchSetting> options_of_program(const std::vector<LaunchWord>& words, size_t image) {
  std::vector<LaunchSetting> found;
  const auto is_program = [](const LaunchWord& word) {
    const LauncherRow* row = knowledge::Knowledge::builtin().launcher(plain_text(word));
    return row != nullptr && row->role == LauncherRole::program;
  };
  const bool reaches_program =
      image + 1 < words.size() &&
      (words[image + 1].beginning().starts_with('-') || is_program(words[image + 1]));
  if (!reaches_program) return found;
  for (size_t i = image + 1; i < words.size(); ++i) {
    const size_t option = i;
    std::optional<LaunchWord> value;
    if (!(value = option_value(words, i, "--env"))) value = option_value(words, i, "-e");
    std::optional<LaunchSetting> setting = value ? setting_in(*value) : std::nullopt;
    if (!setting) continue;
    setting->span = {words[option].span.begin, words[i].span.end};
    found.push_back(std::move(*setting));
  }
  return found;
}

/// Whether a variable may hold options: `docker run $OPTIONS image`. What an option takes as its
/// value, as in `-v $PWD:/work`, is none.
bool may_hide_options(const std::vector<LaunchWord>& words, size_t at) {
  if (words[at].plain() != nullptr || (words[at].quoted && !is_array(words[at]))) return false;
  const std::string_view before = words[at - 1].beginning();
  const bool is_value = before.starts_with('-') && !stands_alone(before);
  return !is_value && words[at].beginning().empty();
}

/// Whether what stands there starts something for certain, and is no argument for whatever the
/// image starts.
bool starts_program(const std::vector<LaunchWord>& words, size_t at) {
  const LauncherRow* row =
      at < words.size() ? knowledge::Knowledge::builtin().launcher(plain_text(words[at])) : nullptr;
  return row != nullptr && (row->role == LauncherRole::program ||
                            row->role == LauncherRole::shell || row->role == LauncherRole::wrapper);
}

std::vector<LaunchSetting> read_container(const LauncherRow& row, LaunchStep& start, size_t at) {
  const std::vector<LaunchWord>& words = start.words;
  const bool runs = at + 1 < words.size() && std::ranges::any_of(words, [](const LaunchWord& word) {
                      return plain_text(word) == "run" || plain_text(word) == "exec" ||
                             plain_text(word) == "create";
                    });
  if (!runs) return {};
  const size_t image = image_index(words, at);
  start.contained = true;
  start.small_shared_memory = plain_text(words[at + 1]) == "run";
  // What reaches the program is for the container to say, whoever starts it.
  std::erase(start.withheld, model::withholds_all);
  bool hides_options = false;
  bool keeps = false;
  for (size_t i = at + 1; i < std::min(image, words.size()); ++i) {
    std::optional<LaunchWord> value;
    if ((value = option_value(words, i, "--env")) || (value = option_value(words, i, "-e"))) {
      hand_over(*value, start);
    } else if (may_hide_options(words, i)) {
      hides_options = true;
    } else if (enlarges_shared_memory(words, i)) {
      start.small_shared_memory = false;
    }
    keeps = keeps || is_listed(row.keeping, words[i].beginning());
  }
  if (hides_options) start.small_shared_memory = false;
  if (!hides_options && !keeps && starts_program(words, image + 1)) withhold_all(start, row);
  return row.name == "kubectl" ? std::vector<LaunchSetting>() : options_of_program(words, image);
}

size_t skip_space(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

/// A JSON text in quotes, from its first; with its place behind the closing quote.
std::optional<std::pair<size_t, size_t>> json_text(std::string_view text, size_t& at) {
  if (at >= text.size() || text[at] != '"') return std::nullopt;
  const size_t begin = at + 1;
  size_t end = begin;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  if (end >= text.size()) return std::nullopt;
  at = end + 1;
  return std::pair(begin, end);
}

}  // namespace

void withhold_all(LaunchStep& start, const LauncherRow& row) {
  start.withheld.emplace_back(model::withholds_all);
  start.withheld_by = row.name;
  start.may_keep = row.machine_decides;
}

LaunchStep entered_by(const LaunchStep& starter) {
  LaunchStep enter;
  enter.kind = model::LaunchStepKind::enter;
  enter.span = starter.span;
  enter.withheld = starter.withheld;
  enter.withheld_by = starter.withheld_by;
  enter.may_keep = starter.may_keep;
  enter.passed_on = starter.passed_on;
  return enter;
}

std::vector<LaunchSetting> settings_in_json(const MappedText& text) {
  const knowledge::Knowledge& knowledge = knowledge::Knowledge::builtin();
  const std::string_view bytes = text.text();
  std::vector<LaunchSetting> found;
  for (size_t at = bytes.find('"'); at != std::string_view::npos; at = bytes.find('"', at)) {
    const auto key = json_text(bytes, at);
    if (!key) break;
    size_t next = skip_space(bytes, at);
    if (next >= bytes.size() || bytes[next] != ':') continue;
    next = skip_space(bytes, next + 1);
    const auto value = json_text(bytes, next);
    if (!value) continue;
    at = next;
    const std::string_view name = bytes.substr(key->first, key->second - key->first);
    const std::string_view written = bytes.substr(value->first, value->second - value->first);
    if (knowledge.variable(name) == nullptr) continue;
    MappedText inside;
    for (size_t i = value->first; i < value->second; ++i)
      inside.append(bytes.substr(i, 1), text.origin(i));
    LaunchSetting setting{std::string(name), word_with_variables(inside), {}};
    if (written.empty())
      setting.value.span = setting.value.inner = text.span(value->first, value->first);
    setting.span = text.span(key->first, value->second);
    found.push_back(std::move(setting));
  }
  return found;
}

std::vector<LaunchSetting> read_options(LaunchStep& start) {
  std::vector<LaunchSetting> misplaced;
  const knowledge::Knowledge& knowledge = knowledge::Knowledge::builtin();
  size_t launchers = 0;
  for (size_t i = 0; i < start.words.size() && launchers < most_launchers; ++i) {
    const LauncherRow* row = knowledge.launcher(plain_text(start.words[i]));
    if (row == nullptr) continue;
    if (row->role == LauncherRole::program) break;
    ++launchers;
    if (row->role == LauncherRole::wrapper || row->role == LauncherRole::shell)
      read_wrapper(*row, start, i);
    if (row->role != LauncherRole::container) continue;
    std::ranges::move(read_container(*row, start, i), std::back_inserter(misplaced));
  }
  for (const LaunchWord& word : start.words) {
    if (word.beginning().find('"') == std::string_view::npos && word.parts.size() < 2) continue;
    for (LaunchSetting& setting : settings_in_json(text_of(word)))
      start.own.push_back(std::move(setting));
  }
  return misplaced;
}

}  // namespace vramlint::frontends
