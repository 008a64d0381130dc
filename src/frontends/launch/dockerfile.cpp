// SPDX-License-Identifier: MIT
//
// A Dockerfile as its container runs it: `ENV` sets for every program of the image, `ARG` for the
// build alone, and what a `RUN` exports ends with its shell.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "frontends/launch/commands.h"
#include "frontends/launch/docker_stages.h"
#include "frontends/launch/launch_languages.h"
#include "frontends/launch/lines.h"
#include "frontends/launch/shell.h"
#include "frontends/launch/shell_words.h"
#include "knowledge/knowledge.h"
#include "text/letter_case.h"

namespace vramlint::frontends {
namespace {

using model::LaunchSetting;
using model::LaunchStep;
using model::LaunchStepKind;
using model::LaunchWord;
using model::Misstep;

struct Instruction {
  std::string name;
  MappedText body;  ///< without comments between its lines
  MappedText heredoc;
  text::Span span;
};

class DockerLines {
 public:
  explicit DockerLines(std::string_view bytes) : lines_(bytes), bytes_(bytes) {}

  std::optional<Instruction> next() {
    LaunchLine line;
    while (lines_.next(line)) {
      const LaunchLine inner = trimmed(line);
      if (inner.text.empty() || inner.text.front() == '#') continue;
      return read(inner, line);
    }
    return std::nullopt;
  }

 private:
  Instruction read(LaunchLine first, LaunchLine line) {
    Instruction made;
    const size_t end = std::min(first.text.find_first_of(" \t"), first.text.size());
    made.name = text::upper(first.text.substr(0, end));
    made.span = {first.begin, first.begin + static_cast<uint32_t>(first.text.size())};
    LaunchLine part{first.text.substr(end), first.begin + static_cast<uint32_t>(end)};
    while (true) {
      add(made, part, line);
      if (!part.text.ends_with('\\')) break;
      do {
        if (!lines_.next(line)) return made;
        part = trimmed(line);
        // Neither a comment nor an empty line ends an instruction that goes on.
      } while (part.text.empty() || part.text.front() == '#');
      made.span.end = part.begin + static_cast<uint32_t>(part.text.size());
      part.begin -= static_cast<uint32_t>(part.text.data() - line.text.data());
      part.text = line.text.substr(0, line.text.find_last_not_of(" \t") + 1);
    }
    read_heredoc(made);
    return made;
  }

  /// The line with its end, so that a backslash there keeps its meaning.
  void add(Instruction& made, LaunchLine part, LaunchLine line) {
    made.body.append(part.text, part.begin);
    const auto end = line.begin + static_cast<uint32_t>(line.text.size());
    const bool goes_on = part.text.ends_with('\\') && end < bytes_.size();
    if (goes_on) made.body.append("\n", end);
  }

  /// `RUN <<EOF`, with the lines of a shell below.
  void read_heredoc(Instruction& made) {
    const bool may = made.name == "RUN" || made.name == "COPY" || made.name == "ADD";
    const std::string_view text = made.body.text();
    const size_t at = may ? text.find("<<") : std::string_view::npos;
    if (at == std::string_view::npos || text.substr(at).starts_with("<<<")) return;
    size_t begin = at + 2;
    if (begin < text.size() && text[begin] == '-') ++begin;
    if (begin < text.size() && (text[begin] == '"' || text[begin] == '\'')) ++begin;
    size_t end = begin;
    while (end < text.size() && is_name_byte(text[end])) ++end;
    if (end == begin) return;
    const std::string last(text.substr(begin, end - begin));
    LaunchLine line;
    while (lines_.next(line) && trimmed(line).text != last) {
      const size_t size = std::min<size_t>(bytes_.size() - line.begin, line.text.size() + 1);
      made.heredoc.append(bytes_.substr(line.begin, size), line.begin);
    }
  }

  LaunchLines lines_;
  std::string_view bytes_;
};

/// `["python", "train.py"]` as words; nothing when it is no such list.
std::optional<std::vector<LaunchWord>> exec_form(const MappedText& body) {
  const std::string_view text = body.text();
  const size_t open = text.find_first_not_of(" \t");
  if (open == std::string_view::npos || text[open] != '[') return std::nullopt;
  std::vector<LaunchWord> words;
  size_t at = open + 1;
  while (at < text.size() && text[at] != ']') {
    if (text[at] != '"') {
      ++at;
      continue;
    }
    MappedText inside;
    const size_t begin = ++at;
    while (at < text.size() && text[at] != '"') {
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      inside.append(text.substr(at, 1), body.origin(at));
      ++at;
    }
    LaunchWord word = plain_word(inside.text(), body.origin(begin));
    word.origins = inside.runs();
    word.span = body.span(begin - 1, std::min(at + 1, text.size()));
    word.inner = body.span(begin, at);
    word.quoted = true;
    words.push_back(std::move(word));
    ++at;
  }
  if (at >= text.size()) return std::nullopt;
  return words;
}

class Dockerfile {
 public:
  Dockerfile(std::string_view bytes, LaunchSteps& into) : bytes_(bytes), into_(into) {}

  void take(const Instruction& each) {
    if (each.name == "FROM") return begin_stage(each.body);
    if (!stages_.empty()) note_use(each);
    if (each.name == "ENV") return set(each, true);
    if (each.name == "ARG") return set(each, false);
    if (each.name == "RUN") return run(each);
    if (each.name == "CMD" || each.name == "ENTRYPOINT") return command(each);
  }

  void finish() {
    end_stage();
    add_lost_with_stages(stages_, into_);
    if (stages_.empty() || !stages_.back().without_shell) forget_startup_files();
  }

 private:
  void begin_stage(const MappedText& from) {
    end_stage();
    stages_.push_back(stage_of(from));
    arguments_.clear();
    add_bare(LaunchStepKind::enter);
    stages_.back().first = into_.size();
  }

  void end_stage() {
    if (stages_.empty()) return;
    stages_.back().end = into_.size();
    add_bare(LaunchStepKind::leave);
  }

  /// `COPY --from=stage`
  void note_use(const Instruction& each) {
    if (each.name != "COPY" && each.name != "RUN" && each.name != "ADD") return;
    std::string stage = stage_named_in(each.body.text());
    if (!stage.empty()) stages_.back().taken_from.push_back(std::move(stage));
  }

  void add_bare(LaunchStepKind kind) {
    LaunchStep step;
    step.kind = kind;
    into_.push_back(std::move(step));
  }

  static std::vector<LaunchWord> words_of(const MappedText& text) {
    ShellWords words(text);
    std::vector<LaunchWord> made;
    while (true) {
      words.skip_blanks();
      if (words.ended()) return made;
      const size_t before = words.at();
      LaunchWord word = words.read();
      if (words.at() == before) {
        words.move_to(before + 1);
        continue;
      }
      made.push_back(std::move(word));
    }
  }

  void add_set(const Instruction& each, LaunchSetting setting, bool exported) {
    if (exported) {
      fill_in_arguments(setting.value);
    } else if (setting.value.plain() != nullptr) {
      (stages_.empty() ? common_arguments_ : arguments_)
          .insert_or_assign(setting.name, setting.value);
    }
    LaunchStep step;
    step.kind = exported ? LaunchStepKind::set : LaunchStepKind::misstep;
    step.misstep = exported ? Misstep::none : Misstep::build_argument;
    step.span = setting.span.end == 0 ? each.span : setting.span;
    step.name = std::move(setting.name);
    step.value = std::move(setting.value);
    step.exported = exported;
    into_.push_back(std::move(step));
  }

  /// `ARG A` in a stage, of one above all stages.
  void take_over(const LaunchWord& name) {
    const auto common = common_arguments_.find(name.beginning());
    if (common != common_arguments_.end()) arguments_.insert(*common);
  }

  /// `ARG A=1` and `ENV B=$A`: 1 is what it holds unless the build says otherwise.
  void fill_in_arguments(LaunchWord& value) const {
    for (model::LaunchPart& part : value.parts) {
      const bool may = part.kind == model::LaunchPart::Kind::variable && !part.has_preset;
      const auto argument = may ? arguments_.find(part.text) : arguments_.end();
      if (argument == arguments_.end()) continue;
      part.has_preset = true;
      part.preset = *argument->second.plain();
      part.preset_span = argument->second.inner;
    }
  }

  /// `ENV A=1 B=2`, `ENV A 1`, `ARG A=1`.
  void set(const Instruction& each, bool exported) {
    const std::vector<LaunchWord> words = words_of(each.body);
    if (words.empty()) return;
    const std::string* first = words[0].plain();
    const bool is_old_form =
        exported && first != nullptr && words.size() > 1 && first->find('=') == std::string::npos;
    if (is_old_form) return set_rest(each, words);
    for (size_t i = 0; i < words.size(); ++i) {
      std::optional<LaunchSetting> setting = setting_in(words[i]);
      if (!setting && !exported) take_over(words[i]);
      if (!setting) continue;
      const std::string* rest = i + 1 < words.size() ? words[i + 1].plain() : nullptr;
      if (words.size() == 1) setting->span = each.span;
      const bool is_cut = rest != nullptr && !words[i].quoted &&
                          (is_option_text(*rest) || is_cut_list(setting->value, *rest));
      add_set(each, std::move(*setting), exported);
      const bool ends_here = words[i].span.end == words[i].inner.end && !words[i].quoted;
      const bool is_empty = into_.back().value.parts.empty() && ends_here;
      if (is_cut) {
        miss(Misstep::cut_value);
      } else if (exported && rest != nullptr && rest->starts_with('#')) {
        miss(Misstep::comment_kept);
      } else if (exported && is_empty && rest != nullptr && rest->find('=') == rest->npos) {
        miss(Misstep::spaces);
      }
    }
  }

  /// `ENV A 1`: all that follows the name is the value.
  void set_rest(const Instruction& each, const std::vector<LaunchWord>& words) {
    const text::Span rest{words[1].span.begin, words.back().span.end};
    const std::string_view written = bytes_.substr(rest.begin, rest.size());
    LaunchWord value = words[1];
    if (words.size() > 2) {
      value = word_with_variables(MappedText(written, rest.begin));
      const bool is_plain = written.find_first_of("\"'\\\n") == std::string_view::npos;
      if (!is_plain) value.parts.assign(1, {model::LaunchPart::Kind::unknown, "", "", {}, false});
    }
    add_set(each, {*words[0].plain(), std::move(value), each.span}, true);
    const auto is_comment = [](const LaunchWord& word) {
      return word.beginning().starts_with('#');
    };
    if (words[1].beginning().starts_with('=')) {
      miss(Misstep::spaces);
    } else if (std::any_of(words.begin() + 2, words.end(), is_comment)) {
      miss(Misstep::comment_kept);
    }
  }

  /// What was set last is something else than it seems.
  void miss(Misstep way) {
    into_.back().kind = LaunchStepKind::misstep;
    into_.back().misstep = way;
  }

  /// What a `RUN` exports is gone after it, unless it has started something.
  void run(const Instruction& each) {
    add_bare(LaunchStepKind::enter);
    const size_t first = into_.size();
    ShellContext context;
    context.makes_image = !may_read_startup_files_;
    if (!each.heredoc.text().empty()) {
      read_shell(each.heredoc, context, into_);
    } else if (auto words = exec_form(each.body)) {
      read_command(std::move(*words), into_);
    } else {
      read_shell(without_flags(each.body), context, into_);
    }
    note_lost_with_shell(into_, first, Misstep::own_shell);
    if (!stages_.empty() && std::any_of(into_.begin() + static_cast<std::ptrdiff_t>(first),
                                        into_.end(), builds_with_python)) {
      stages_.back().builds_with_python = true;
    }
    add_bare(LaunchStepKind::leave);
  }

  /// Whether a step of a build runs Python for more than to install packages.
  static bool builds_with_python(const LaunchStep& step) {
    const auto is_installer = [](const LaunchWord& word) {
      return word.beginning() == "pip" || word.beginning() == "venv";
    };
    return step.kind == LaunchStepKind::start && is_python(step.words) &&
           std::ranges::none_of(step.words, is_installer);
  }

  /// `--mount=…` before the command.
  static MappedText without_flags(const MappedText& body) {
    const std::string_view text = body.text();
    size_t at = std::min(text.find_first_not_of(" \t"), text.size());
    while (text.substr(at).starts_with("--")) {
      at = std::min(text.find_first_of(" \t\n", at), text.size());
      at = std::min(text.find_first_not_of(" \t\\\n", at), text.size());
    }
    MappedText rest;
    for (size_t i = at; i < text.size();) {
      const size_t end = std::min(text.find('\n', i), text.size() - 1) + 1;
      rest.append(text.substr(i, end - i), body.origin(i));
      i = end;
    }
    return rest;
  }

  /// Whether the program of the container is Python itself, and no shell that may read more.
  static bool is_python(const std::vector<LaunchWord>& words) {
    const std::string* name = words.empty() ? nullptr : words[0].plain();
    const knowledge::LauncherRow* row =
        name == nullptr ? nullptr : knowledge::Knowledge::builtin().launcher(*name);
    return row != nullptr && row->role == knowledge::LauncherRole::program;
  }

  /// Somebody may open a shell in the container.
  void forget_startup_files() {
    std::erase_if(into_,
                  [](const LaunchStep& step) { return step.misstep == Misstep::startup_file; });
  }

  void command(const Instruction& each) {
    // Beside an `ENTRYPOINT` a `CMD` is a list of arguments.
    const bool has_program = each.name == "ENTRYPOINT" || !has_entrypoint_;
    DockerStage none;
    DockerStage& stage = stages_.empty() ? none : stages_.back();
    stage.has_command = true;
    if (auto words = exec_form(each.body)) {
      stage.without_shell |= has_program && is_python(*words);
      stage.runs_python |= stage.without_shell;
      if (has_program) return read_command(std::move(*words), into_);
      read_words(std::move(*words), each.span, {}, into_);
    } else {
      add_bare(LaunchStepKind::enter);
      const size_t first = into_.size();
      read_shell(each.body, {}, into_);
      stage.runs_python |=
          std::any_of(into_.begin() + static_cast<std::ptrdiff_t>(first), into_.end(),
                      [](const LaunchStep& step) { return is_python(step.words); });
      add_bare(LaunchStepKind::leave);
    }
  }

  std::string_view bytes_;
  LaunchSteps& into_;
  std::vector<DockerStage> stages_;
  const bool has_entrypoint_ = bytes_.find("ENTRYPOINT") != std::string_view::npos;
  /// `source ~/.bashrc`, `bash -lc`, `BASH_ENV`: then a shell may read what shells start with.
  const bool may_read_startup_files_ = bytes_.find("source ") != std::string_view::npos ||
                                       bytes_.find("BASH_ENV") != std::string_view::npos ||
                                       bytes_.find("-lc") != std::string_view::npos ||
                                       bytes_.find("-ic") != std::string_view::npos ||
                                       bytes_.find("--login") != std::string_view::npos ||
                                       bytes_.find(". ~") != std::string_view::npos ||
                                       bytes_.find("\"-l\"") != std::string_view::npos;
  using Arguments = std::map<std::string, LaunchWord, std::less<>>;
  Arguments common_arguments_;  ///< of the build, from above the stages
  Arguments arguments_;         ///< those that the stage has
};

}  // namespace

void read_dockerfile(std::string_view bytes, LaunchSteps& into) {
  DockerLines lines(bytes);
  Dockerfile file(bytes, into);
  while (const std::optional<Instruction> each = lines.next()) file.take(*each);
  file.finish();
}

}  // namespace vramlint::frontends
