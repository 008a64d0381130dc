// SPDX-License-Identifier: MIT
//
// Batch files and PowerShell. Both set with the words of their own; those of the other, or of a
// POSIX shell, set nothing.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "frontends/launch/launch_languages.h"
#include "frontends/launch/lines.h"
#include "frontends/launch/shell_words.h"
#include "text/letter_case.h"

namespace vramlint::frontends {
namespace {

using model::LaunchPart;
using model::LaunchStep;
using model::LaunchStepKind;
using model::LaunchWord;
using model::Misstep;
using text::lower;

bool begins(std::string_view text, std::string_view word) {
  return lower(text.substr(0, word.size())) == word;
}

LaunchLine behind(LaunchLine line, size_t bytes) {
  bytes = std::min(bytes, line.text.size());
  return {line.text.substr(bytes), line.begin + static_cast<uint32_t>(bytes)};
}

LaunchLine first_bytes(LaunchLine line, size_t bytes) {
  return {line.text.substr(0, bytes), line.begin};
}

text::Span span_of(LaunchLine line) {
  return {line.begin, line.begin + static_cast<uint32_t>(line.text.size())};
}

/// A value with `%NAME%` or `$env:NAME` in it is not known.
LaunchWord value_of(LaunchLine text) {
  LaunchWord word = plain_word(text.text, text.begin);
  const bool expands = text.text.find_first_of("%!$") != std::string_view::npos;
  if (expands) {
    word.parts.assign(1, LaunchPart{LaunchPart::Kind::unknown, "", "", {}, false});
    word.origins.clear();
  }
  return word;
}

struct Quoted {
  LaunchLine text;
  bool is_quoted = false;
};

Quoted unquoted(LaunchLine text) {
  const bool has = text.text.size() >= 2 &&
                   (text.text.front() == '"' || text.text.front() == '\'') &&
                   text.text.back() == text.text.front();
  if (!has) return {text, false};
  return {first_bytes(behind(text, 1), text.text.size() - 2), true};
}

void add(LaunchStepKind kind, Misstep misstep, LaunchLine name, LaunchLine value, LaunchLine whole,
         LaunchSteps& into) {
  LaunchStep step;
  step.kind = kind;
  step.misstep = misstep;
  step.name = name.text;
  step.value = value_of(value);
  step.span = span_of(whole);
  step.exported = true;
  into.push_back(std::move(step));
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_name_byte);
}

/// A program with its words cut at blanks.
void add_start(LaunchLine line, LaunchSteps& into) {
  LaunchStep step;
  step.span = span_of(line);
  while (!line.text.empty()) {
    line = trimmed(line);
    const size_t end = std::min(line.text.find_first_of(" \t"), line.text.size());
    if (end == 0) break;
    step.words.push_back(value_of(unquoted(first_bytes(line, end)).text));
    line = behind(line, end);
  }
  if (!step.words.empty()) into.push_back(std::move(step));
}

/// `NAME=value python x.py`, the words of a POSIX shell; whether the line was such.
bool read_posix_prefix(LaunchLine line, LaunchSteps& into) {
  size_t end = 0;
  while (end < line.text.size() && is_name_byte(line.text[end])) ++end;
  const bool assigns = end > 0 && end < line.text.size() && line.text[end] == '=';
  if (!assigns) return false;
  const LaunchLine value = behind(line, end + 1);
  const size_t size = std::min(value.text.find_first_of(" \t"), value.text.size());
  const LaunchLine rest = trimmed(behind(value, size));
  const bool goes_on = !rest.text.empty() && is_name_byte(rest.text.front());
  if (goes_on)
    add(LaunchStepKind::misstep, Misstep::foreign_words, first_bytes(line, end),
        first_bytes(value, size), first_bytes(line, end + 1 + size), into);
  return goes_on;
}

/// `set A=x set NAME=value`: the rest of the line is the value of the first.
void note_second_set(LaunchLine value, LaunchSteps& into) {
  constexpr std::string_view word = " set ";
  const size_t at = lower(value.text).find(word);
  if (at == std::string_view::npos) return;
  const LaunchLine second = behind(value, at + 1);
  LaunchLine rest = behind(value, at + word.size());
  rest = unquoted(trimmed(rest)).text;
  const size_t equals = std::min(rest.text.find('='), rest.text.size());
  const LaunchLine name = first_bytes(rest, equals);
  if (equals < rest.text.size() && is_name(name.text))
    add(LaunchStepKind::misstep, Misstep::second_set, name, behind(rest, equals + 1), second, into);
}

/// `set NAME value` shows variables, and `set 'NAME=value'` sets one of another name.
void note_unset(LaunchLine rest, LaunchLine whole, LaunchSteps& into) {
  const bool quoted = rest.text.starts_with('\'');
  if (quoted) rest = behind(rest, 1);
  const size_t end = std::min(rest.text.find_first_of(quoted ? "=" : " \t"), rest.text.size());
  const LaunchLine name = first_bytes(rest, end);
  if (end == rest.text.size() || !is_name(name.text)) return;
  add(LaunchStepKind::misstep, quoted ? Misstep::foreign_words : Misstep::no_equals, name,
      trimmed(behind(rest, end + 1)), whole, into);
}

/// One command of a batch line.
void read_batch_command(LaunchLine line, LaunchSteps& into) {
  line = trimmed(line);
  if (line.text.starts_with('@')) line = trimmed(behind(line, 1));
  if (line.text.empty() || line.text.starts_with(':') || begins(line.text, "rem ")) return;
  const LaunchLine whole = line;
  if (begins(line.text, "call ")) line = trimmed(behind(line, 5));
  if (begins(line.text, "set ")) {
    LaunchLine rest = trimmed(behind(line, 4));
    if (begins(rest.text, "/a ") || begins(rest.text, "/p ")) return;
    // `set "NAME=value"` keeps its quotes out of the value; `set NAME="value"` keeps them in.
    const bool is_single = rest.text.starts_with('\'');
    if (!is_single) rest = unquoted(rest).text;
    const size_t equals = rest.text.find('=');
    if (is_single || equals == std::string_view::npos) return note_unset(rest, whole, into);
    const LaunchLine name = first_bytes(rest, equals);
    if (!is_name(trimmed(name).text)) return;
    const Quoted value = unquoted(behind(rest, equals + 1));
    // A blank before the `=` belongs to the name.
    if (name.text.ends_with(' '))
      return add(LaunchStepKind::misstep, Misstep::spaces, trimmed(name), value.text, whole, into);
    add(LaunchStepKind::set, Misstep::none, name, value.text, whole, into);
    note_second_set(value.text, into);
    if (value.is_quoted)
      add(LaunchStepKind::misstep, Misstep::quotes_kept, name, value.text, whole, into);
    return;
  }
  if (begins(line.text, "setx ")) {
    const LaunchLine rest = trimmed(behind(line, 5));
    const size_t end = std::min(rest.text.find_first_of(" \t"), rest.text.size());
    return add(LaunchStepKind::misstep, Misstep::next_session, first_bytes(rest, end),
               unquoted(trimmed(behind(rest, end))).text, whole, into);
  }
  if (begins(line.text, "export ") || begins(line.text, "$env:")) {
    const LaunchLine rest = trimmed(behind(line, line.text.find_first_of(" :") + 1));
    const size_t equals = std::min(rest.text.find_first_of(" ="), rest.text.size());
    return add(LaunchStepKind::misstep, Misstep::foreign_words, first_bytes(rest, equals),
               behind(rest, equals), whole, into);
  }
  if (!read_posix_prefix(line, into)) add_start(line, into);
}

/// The place of the next `&` outside quotes.
size_t command_end(std::string_view text) {
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '&' && !quoted) return i;
  }
  return text.size();
}

/// A word without quotes that PowerShell takes for a command, or for a list: `a:1`, `INFO`, `0,1`.
bool needs_quotes(std::string_view value) {
  const auto is_loud = [](char byte) {
    return (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_';
  };
  constexpr std::string_view numbers = "0123456789.";
  constexpr std::string_view others = "$([@&\"'- \t";
  const bool is_number = value.find_first_not_of(numbers) == std::string_view::npos;
  if (is_number || value.find_first_of(others) != std::string_view::npos) return false;
  const bool is_list = value.find_first_not_of("0123456789,") == std::string_view::npos;
  return is_list || value.find(':') != std::string_view::npos || value == "True" ||
         value == "False" || std::ranges::all_of(value, is_loud);
}

/// `$env:NAME = "value"`; whether the line was one.
bool read_powershell_set(LaunchLine line, LaunchSteps& into) {
  if (!begins(line.text, "$env:")) return false;
  const LaunchLine rest = behind(line, 5);
  size_t end = 0;
  while (end < rest.text.size() && is_name_byte(rest.text[end])) ++end;
  const LaunchLine after = trimmed(behind(rest, end));
  const bool appends = after.text.starts_with("+=");
  if (!after.text.starts_with('=') && !appends) return false;
  LaunchLine value = trimmed(behind(after, appends ? 2 : 1));
  value = trimmed(first_bytes(value, std::min(value.text.find(" #"), value.text.size())));
  const Quoted bare = unquoted(value);
  add(LaunchStepKind::set, Misstep::none, first_bytes(rest, end), bare.text, line, into);
  into.back().appends = appends;
  if (!bare.is_quoted && needs_quotes(value.text)) {
    into.back().kind = LaunchStepKind::misstep;
    into.back().misstep = Misstep::unquoted;
  }
  const bool single = value.text.starts_with('\'');
  const bool computed =
      !bare.is_quoted && value.text.find_first_not_of("0123456789.") != std::string_view::npos;
  if (single) into.back().value = plain_word(bare.text.text, bare.text.begin);
  if (computed)
    into.back().value.parts.assign(1, LaunchPart{LaunchPart::Kind::unknown, "", "", {}, false});
  return true;
}

/// The next of the words that stand between blanks, commas or brackets, without its quotes.
LaunchLine next_argument(LaunchLine& line) {
  constexpr std::string_view between = " \t,()";
  line = behind(line, std::min(line.text.find_first_not_of(between), line.text.size()));
  const bool quoted = line.text.starts_with('"') || line.text.starts_with('\'');
  const size_t end =
      quoted ? line.text.find(line.text.front(), 1) : line.text.find_first_of(between);
  const LaunchLine word = first_bytes(line, std::min(end, line.text.size()));
  line = behind(line, std::min(end, line.text.size()) + (quoted ? 1 : 0));
  return quoted ? behind(word, 1) : word;
}

/// `Set-Item Env:NAME "value"`, `[Environment]::SetEnvironmentVariable("NAME", "value")`; whether
/// the line was one. A third argument that names the user or the machine leaves this session out.
bool read_powershell_call(LaunchLine line, LaunchSteps& into) {
  const LaunchLine whole = line;
  const size_t call = line.text.find("SetEnvironmentVariable(");
  const bool is_call = line.text.starts_with('[') && call != std::string_view::npos;
  const bool is_item = begins(line.text, "set-item ") || begins(line.text, "new-item ");
  if (!is_call && !is_item) return false;
  line = behind(line, is_call ? line.text.find('(', call) : std::string_view("set-item").size());
  LaunchLine name = next_argument(line);
  while (name.text.starts_with('-')) name = next_argument(line);
  if (is_item && !begins(name.text, "env:")) return true;
  if (is_item) name = behind(name, 4);
  if (name.text.starts_with('\\')) name = behind(name, 1);
  LaunchLine value = next_argument(line);
  while (is_item && value.text.starts_with('-')) value = next_argument(line);
  const std::string scope = lower(next_argument(line).text);
  const bool is_later = is_call && (scope.find("user") != std::string::npos ||
                                    scope.find("machine") != std::string::npos);
  if (is_name(name.text)) {
    add(is_later ? LaunchStepKind::misstep : LaunchStepKind::set,
        is_later ? Misstep::next_session : Misstep::none, name, value, whole, into);
  }
  return true;
}

void read_powershell_command(LaunchLine line, LaunchSteps& into) {
  line = trimmed(line);
  if (line.text.empty() || line.text.starts_with('#')) return;
  if (read_powershell_set(line, into) || read_powershell_call(line, into)) return;
  const bool sets = begins(line.text, "set ") || begins(line.text, "export ");
  if (sets) {
    const LaunchLine rest = trimmed(behind(line, line.text.find(' ')));
    const size_t equals = rest.text.find('=');
    if (equals == std::string_view::npos) return;
    return add(LaunchStepKind::misstep, Misstep::foreign_words, first_bytes(rest, equals),
               behind(rest, equals + 1), line, into);
  }
  if (begins(line.text, "setx ")) return read_batch_command(line, into);
  // `$NAME = value` is a variable of the script.
  const size_t equals = line.text.find('=');
  if (line.text.starts_with('$') && equals != std::string_view::npos) {
    const LaunchLine name = trimmed(first_bytes(behind(line, 1), equals - 1));
    if (!is_name(name.text)) return;
    add(LaunchStepKind::set, Misstep::none, name, trimmed(behind(line, equals + 1)), line, into);
    into.back().exported = false;
    return;
  }
  if (line.text.starts_with("& ")) line = trimmed(behind(line, 2));
  if (!read_posix_prefix(line, into)) add_start(line, into);
}

/// The place of the next `;` outside quotes.
size_t statement_end(std::string_view text) {
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    if (quote != '\0') {
      if (text[i] == quote) quote = '\0';
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text[i] == ';') {
      return i;
    }
  }
  return text.size();
}

}  // namespace

void read_batch(std::string_view bytes, LaunchSteps& into) {
  LaunchLines lines(bytes);
  LaunchLine line;
  while (lines.next(line)) {
    if (begins(trimmed(line).text, "rem ") || trimmed(line).text.starts_with("::")) continue;
    while (!line.text.empty()) {
      const size_t end = command_end(line.text);
      read_batch_command(first_bytes(line, end), into);
      line = behind(line, end);
      while (line.text.starts_with('&')) line = behind(line, 1);
    }
  }
}

void read_powershell(std::string_view bytes, LaunchSteps& into) {
  LaunchLines lines(bytes);
  LaunchLine line;
  bool in_comment = false;
  while (lines.next(line)) {
    const std::string_view text = trimmed(line).text;
    if (text.starts_with("<#")) in_comment = true;
    if (in_comment || text.starts_with('#')) {
      if (text.find("#>") != std::string_view::npos) in_comment = false;
      continue;
    }
    while (!line.text.empty()) {
      const size_t end = statement_end(line.text);
      read_powershell_command(first_bytes(line, end), into);
      line = behind(line, std::min(end + 1, line.text.size()));
    }
  }
}

}  // namespace vramlint::frontends
