// SPDX-License-Identifier: MIT
//
// `.env` files and systemd units: lines that set, read by something that is no shell.
#include <optional>
#include <string>
#include <utility>

#include "frontends/launch/commands.h"
#include "frontends/launch/launch_languages.h"
#include "frontends/launch/lines.h"
#include "frontends/launch/shell.h"
#include "frontends/launch/shell_words.h"

namespace vramlint::frontends {
namespace {

using model::LaunchSetting;
using model::LaunchStep;
using model::LaunchStepKind;
using model::LaunchWord;
using model::Misstep;

void add_set(LaunchSetting setting, LaunchSteps& into) {
  LaunchStep step;
  step.kind = LaunchStepKind::set;
  step.span = setting.span;
  step.name = std::move(setting.name);
  step.value = std::move(setting.value);
  step.exported = true;
  into.push_back(std::move(step));
}

/// A value up to the end of its line: the quotes around it and a comment behind it taken off.
LaunchWord value_of(LaunchLine text) {
  text = trimmed(text);
  const bool quoted = !text.text.empty() && (text.text.front() == '"' || text.text.front() == '\'');
  size_t end = text.text.find(" #");
  if (quoted) {
    const size_t close = text.text.find(text.text.front(), 1);
    if (close != std::string_view::npos) {
      text.text = text.text.substr(1, close - 1);
      ++text.begin;
      end = std::string_view::npos;
    }
  }
  if (end != std::string_view::npos) text = trimmed({text.text.substr(0, end), text.begin});
  LaunchWord word = word_with_variables(MappedText(text.text, text.begin));
  word.span = word.inner = {text.begin, text.begin + static_cast<uint32_t>(text.text.size())};
  word.quoted = quoted;
  return word;
}

std::optional<LaunchSetting> setting_of(LaunchLine line) {
  line = trimmed(line);
  const uint32_t begin = line.begin;
  constexpr std::string_view word = "export ";
  if (line.text.starts_with(word)) {
    line =
        trimmed({line.text.substr(word.size()), line.begin + static_cast<uint32_t>(word.size())});
  }
  size_t end = 0;
  while (end < line.text.size() && is_name_byte(line.text[end])) ++end;
  const size_t equals = line.text.find_first_not_of(" \t", end);
  const bool sets = end > 0 && equals != std::string_view::npos && line.text[equals] == '=';
  if (!sets) return std::nullopt;
  LaunchSetting setting;
  setting.name = line.text.substr(0, end);
  setting.value =
      value_of({line.text.substr(equals + 1), line.begin + static_cast<uint32_t>(equals) + 1});
  setting.span = {begin, line.begin + static_cast<uint32_t>(line.text.size())};
  return setting;
}

/// `NAME = value`, whose parts systemd takes for three words, none of which sets.
void add_parted(const LaunchWord& name, LaunchSteps& into) {
  if (name.plain() == nullptr) return;
  LaunchStep step;
  step.kind = LaunchStepKind::misstep;
  step.misstep = Misstep::spaces;
  step.span = name.span;
  step.name = *name.plain();
  into.push_back(std::move(step));
}

/// `A=1 "B=x y"`.
void read_settings(const MappedText& text, LaunchSteps& into) {
  ShellWords words(text);
  LaunchWord last;
  bool has_set = false;
  for (words.skip_blanks(); !words.ended(); words.skip_blanks()) {
    const size_t before = words.at();
    LaunchWord word = words.read();
    if (words.at() == before) words.move_to(before + 1);
    if (std::optional<LaunchSetting> setting = setting_in(word)) {
      add_set(std::move(*setting), into);
      has_set = true;
    } else if (word.beginning() == "=") {
      add_parted(last, into);
      has_set = false;
    } else if (has_set && !last.quoted &&
               (is_option_text(word.beginning()) ||
                is_cut_list(into.back().value, word.beginning()))) {
      into.back().kind = LaunchStepKind::misstep;
      into.back().misstep = Misstep::cut_value;
    }
    last = std::move(word);
  }
}

/// What a unit starts: words as they are, which no shell reads. `-`, `@` and the like in front are
/// for systemd.
void read_command_line(const MappedText& text, bool is_before, LaunchSteps& into) {
  ShellWords words(text);
  constexpr std::string_view marks = "@-:+!|";
  const size_t begin = text.text().find_first_not_of(marks);
  if (begin != std::string_view::npos) words.move_to(begin);
  std::vector<LaunchWord> made;
  for (words.skip_blanks(); !words.ended(); words.skip_blanks()) {
    const size_t before = words.at();
    made.push_back(words.read());
    if (words.at() == before) made.pop_back(), words.move_to(before + 1);
  }
  if (made.empty()) return;
  // There is no program of the name `export`.
  if (made.size() > 1 && made[0].beginning() == "export") made.erase(made.begin());
  const size_t first = into.size();
  read_command(std::move(made), into);
  if (is_before) note_lost_with_shell(into, first, Misstep::own_shell);
}

}  // namespace

void read_dotenv(std::string_view bytes, LaunchSteps& into) {
  LaunchLines lines(bytes);
  LaunchLine line;
  while (lines.next(line)) {
    const LaunchLine inner = trimmed(line);
    if (inner.text.empty() || inner.text.front() == '#') continue;
    if (std::optional<LaunchSetting> setting = setting_of(inner))
      add_set(std::move(*setting), into);
  }
}

/// The order of the lines does not matter: what is started has all of the environment.
void read_systemd_unit(std::string_view bytes, LaunchSteps& into) {
  LaunchSteps starts;
  LaunchStep bare;
  bare.kind = LaunchStepKind::enter;
  into.push_back(bare);
  LaunchLines lines(bytes);
  LaunchLine line;
  while (lines.next(line)) {
    const LaunchLine inner = trimmed(line);
    const size_t equals = inner.text.find('=');
    if (equals == std::string_view::npos || inner.text.front() == '#') continue;
    const std::string_view name = inner.text.substr(0, equals);
    const MappedText rest(inner.text.substr(equals + 1),
                          inner.begin + static_cast<uint32_t>(equals) + 1);
    if (name == "ExecStart") read_command_line(rest, false, starts);
    if (name == "ExecStartPre") read_command_line(rest, true, starts);
    if (name == "Environment") read_settings(rest, into);
  }
  into.insert(into.end(), starts.begin(), starts.end());
  bare.kind = LaunchStepKind::leave;
  into.push_back(bare);
}

void read_shell_file(std::string_view bytes, std::string_view name, LaunchSteps& into) {
  ShellContext context;
  const std::string_view first = bytes.substr(0, bytes.find('\n'));
  const bool has_line = first.starts_with("#!");
  context.c_shell = has_line ? first.find("csh") != std::string_view::npos
                             : name.ends_with(".csh") || name.ends_with(".tcsh");
  read_shell(MappedText(bytes, 0), context, into);
}

}  // namespace vramlint::frontends
