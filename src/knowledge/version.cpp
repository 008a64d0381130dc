// SPDX-License-Identifier: MIT
//
// Versions as wheels, tags and lock files write them, read down to the release line. Ranges of them
// are read in target.cpp.
#include "knowledge/version.h"

#include <charconv>

namespace vramlint::knowledge {
namespace {

/// Takes a number off the front; nothing when there is none or it is beyond all versions.
std::optional<uint16_t> take_number(std::string_view& text) {
  uint16_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view front) {
  if (!text.starts_with(front)) return false;
  text.remove_prefix(front.size());
  return true;
}

/// `a0`, `rc1`, `.post2`, `.dev20260101`: they do not move a version to another line.
bool take_suffix(std::string_view& text) {
  for (const std::string_view word : {"a", "b", "rc", ".rc", ".post", ".dev", "-rc"}) {
    std::string_view rest = text;
    if (!take(rest, word)) continue;
    while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') rest.remove_prefix(1);
    text = rest;
    return true;
  }
  return false;
}

bool is_local_version(std::string_view text) {
  if (!take(text, "+") || text.empty()) return false;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '.' && c != '-' && c != '_') return false;
  }
  return true;
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  take(text, "v");
  const std::optional<uint16_t> major = take_number(text);
  if (!major || !take(text, ".")) return std::nullopt;
  const std::optional<uint16_t> minor = take_number(text);
  if (!minor) return std::nullopt;
  std::string_view rest = text;
  while (take(rest, ".") && take_number(rest)) text = rest;
  while (take_suffix(text)) {
  }
  if (!text.empty() && !is_local_version(text)) return std::nullopt;
  return Version{*major, *minor};
}

std::string to_string(Version version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

}  // namespace vramlint::knowledge
