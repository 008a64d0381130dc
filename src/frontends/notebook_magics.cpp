// SPDX-License-Identifier: MIT
#include "frontends/notebook_magics.h"

#include <algorithm>
#include <array>

#include "frontends/line_text.h"

namespace vramlint::frontends {

namespace {

using text::Span;

/// Cell magics that hand the cell to a shell, and others that start a process for it.
constexpr std::array<std::string_view, 5> runs_shell = {"bash", "sh", "system", "sx", "cmd"};
constexpr std::array<std::string_view, 5> runs_process = {"script", "python", "python3", "pypy",
                                                          "perl"};
/// `NAME=VALUE` or `NAME VALUE`, as `%env` takes them apart.
void read_variable(std::string_view text, std::size_t begin, std::size_t end, Magic& magic) {
  const std::string_view all = text.substr(begin, end - begin);
  const bool has_equals = all.find('=') != std::string_view::npos;
  const std::size_t split = has_equals ? all.find('=') : all.find(' ');
  if (split == std::string_view::npos) return;
  magic.name = trimmed(text, begin, begin + split);
  magic.value = trimmed(text, begin + split + 1, end);
  const std::string_view name = part(text, magic.name);
  if (name.empty() || name.find_first_of(" \t") != std::string_view::npos) return;
  magic.kind = Magic::Kind::set_variable;
}

}  // namespace

bool starts_process(std::string_view name) {
  return is_one_of(runs_shell, name) || is_one_of(runs_process, name);
}

bool is_for_shell(std::string_view cell) {
  return cell.starts_with("%%") && is_one_of(runs_shell, word_at(cell, 2));
}

Magic magic_at(std::string_view text, std::size_t begin) {
  Magic magic;
  const std::size_t end = magic_end(text, begin);
  magic.span = trimmed(text, begin, end);
  if (begin >= end) return magic;
  const auto takes = [&](Magic::Kind kind, std::size_t from) {
    magic.kind = kind;
    magic.value = trimmed(text, from, end);
  };
  if (text.substr(begin).starts_with("%%")) {
    if (is_one_of(runs_shell, word_at(text, begin + 2))) {
      magic.span.end = std::max(magic.span.end, trimmed(text, begin, text.size()).end);
      magic.kind = Magic::Kind::command;
      magic.value = trimmed(text, end, text.size());
    } else {
      takes(Magic::Kind::command, begin + 2);
    }
  } else if (text[begin] == '!') {
    takes(Magic::Kind::command, begin + (text.substr(begin).starts_with("!!") ? 2 : 1));
  } else if (text[begin] == '%') {
    const std::string_view name = word_at(text, begin + 1);
    const std::size_t rest = trimmed(text, begin + 1 + name.size(), end).begin;
    if (name == "env" || name == "set_env") {
      read_variable(text, rest, magic.span.end, magic);
    } else if (name == "sx" || name == "system") {
      takes(Magic::Kind::command, rest);
    } else if (name == "run") {
      takes(Magic::Kind::run_script, rest);
    }
  }
  // A value over several lines is joined with blanks.
  magic.expands = part(text, magic.value).find_first_of("${\n") != std::string_view::npos;
  return magic;
}

std::optional<MeantValue> meant_by(std::string_view text, const Magic& magic) {
  const Span value = magic.value;
  std::size_t end = value.end;
  std::optional<KeptByEnv> kept;
  for (std::size_t at = value.begin + 1; at < value.end; ++at) {
    if (text[at] != '#' || !is_blank(text[at - 1])) continue;
    end = trimmed(text, value.begin, at).end;
    kept = KeptByEnv::comment;
    break;
  }
  if (end - value.begin >= 2) {
    const char quote = text[value.begin];
    const bool is_quoted = (quote == '"' || quote == '\'') && text[end - 1] == quote;
    if (is_quoted) return MeantValue{KeptByEnv::quotes, span_of(value.begin + 1, end - 1)};
  }
  if (!kept) return std::nullopt;
  return MeantValue{*kept, span_of(value.begin, end)};
}

}  // namespace vramlint::frontends
