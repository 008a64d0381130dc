// SPDX-License-Identifier: MIT
#include "validate/marks.h"

#include <algorithm>
#include <cctype>

namespace vramlint::validate {

namespace {

using knowledge::OutputMarkRow;
using knowledge::OutputSign;

bool is_digit(char byte) { return std::isdigit(static_cast<unsigned char>(byte)) != 0; }

bool is_of_word(char byte) {
  return byte == '_' || byte == '.' || std::isalnum(static_cast<unsigned char>(byte)) != 0;
}

std::size_t length_of(std::string_view text, bool (*belongs)(char)) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, belongs) - text.begin());
}

/// How many bytes a wildcard may take at most, and at least.
struct Room {
  std::size_t most = 0;
  std::size_t least = 0;
};

Room room_of(char wildcard, std::string_view line) {
  switch (wildcard) {
    case '#': return {length_of(line, is_digit), 1};
    default: return {length_of(line, is_of_word), 0};
  }
}

/// A mark after `*`, which takes anything: only where its letters stand is it looked at, since a
/// line may be as long as the file.
bool goes_on_as(std::string_view line, std::string_view mark) {
  const std::string_view plain = mark.substr(0, mark.find_first_of("#@*"));
  for (std::size_t at = line.find(plain); at != std::string_view::npos;
       at = line.find(plain, at + 1)) {
    if (begins_as(line.substr(at), mark)) return true;
  }
  return false;
}

bool has_sign(std::string_view line, OutputSign sign, std::span<const OutputMarkRow> marks) {
  return std::ranges::any_of(marks, [&](const OutputMarkRow& mark) {
    return mark.sign == sign && begins_as(line, mark.line);
  });
}

}  // namespace

// A mark has a handful of wildcards, so this goes no deeper than that.
bool begins_as(std::string_view line, std::string_view mark) {
  const std::size_t plain = std::min(mark.find_first_of("#@*"), mark.size());
  if (!line.starts_with(mark.substr(0, plain))) return false;
  if (plain == mark.size()) return true;
  line.remove_prefix(plain);
  const std::string_view rest = mark.substr(plain + 1);
  if (mark[plain] == '*') return goes_on_as(line, rest);
  const Room room = room_of(mark[plain], line);
  for (std::size_t taken = room.least; taken <= room.most; ++taken) {
    if (begins_as(line.substr(taken), rest)) return true;
  }
  return false;
}

Signs signs_in(std::string_view text, std::span<const OutputMarkRow> marks) {
  Signs signs;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    signs.warnings += has_sign(line, OutputSign::warning, marks) ? 1 : 0;
    signs.tracebacks += has_sign(line, OutputSign::traceback, marks) ? 1 : 0;
    signs.out_of_memory += has_sign(line, OutputSign::out_of_memory, marks) ? 1 : 0;
  }
  return signs;
}

}  // namespace vramlint::validate
