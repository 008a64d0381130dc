// SPDX-License-Identifier: MIT
#include "config/toml.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace vramlint::config {

namespace {

constexpr std::size_t most_bytes = 1 << 20;
/// Parts of one key. Inline tables, of which toml++ takes 256 in one another, multiply them.
constexpr std::size_t most_parts = 16;
/// A key with more between quotes takes so many bytes that few fit into a file.
constexpr std::size_t longest_quoted = 64;

bool is_bare(char byte) {
  const bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
  const bool is_ascii = static_cast<unsigned char>(byte) < 0x80;
  return is_letter || (byte >= '0' && byte <= '9') || byte == '-' || byte == '_' || !is_ascii;
}

/// Where the part of a key ends that begins at a place; the place itself where none does.
std::size_t end_of_part(std::string_view text, std::size_t begin) {
  std::size_t at = begin;
  while (at < text.size() && is_bare(text[at])) ++at;
  if (at > begin || at == text.size()) return at;
  const char quote = text[at];
  if (quote != '"' && quote != '\'') return begin;
  const std::size_t last = std::min(text.size(), begin + longest_quoted);
  for (++at; at < last && text[at] != '\n'; ++at) {
    if (text[at] == quote) return at + 1;
    if (text[at] == '\\' && quote == '"') ++at;
  }
  return begin;
}

std::size_t behind_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t", at), text.size());
}

/// Whether parts with dots between them begin at a place, and too many. Strings and comments that
/// look so are refused as well: that way nothing depends on where they begin.
bool is_long_key(std::string_view text, std::size_t at) {
  for (std::size_t parts = 1; parts <= most_parts; ++parts) {
    const std::size_t end = end_of_part(text, at);
    const std::size_t dot = behind_blanks(text, end);
    if (end == at || dot == text.size() || text[dot] != '.') return false;
    at = behind_blanks(text, dot + 1);
  }
  return true;
}

/// Where such a key begins; the end of the text where none does.
std::size_t long_key(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && !is_long_key(text, at)) {
    // Bare parts are passed as a whole; between quotes another part may begin anywhere.
    const bool passes = is_bare(text[at]);
    at = passes ? end_of_part(text, at) : at + 1;
  }
  return at;
}

Error refused(std::string_view text, std::size_t at, const std::string& why) {
  Error error;
  error.line = static_cast<int>(std::count(text.begin(), text.begin() + at, '\n')) + 1;
  error.message = "no valid TOML: " + why;
  return error;
}

}  // namespace

Result<toml::table> parse_toml(const std::string& text) {
  if (text.size() > most_bytes) return refused(text, 0, "larger than anybody writes");
  const std::size_t at = long_key(text);
  if (at < text.size()) return refused(text, at, "a key of more parts than anybody writes");
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& problem) {
    Error error;
    error.line = static_cast<int>(problem.source().begin.line);
    error.column = static_cast<int>(problem.source().begin.column);
    error.message = "no valid TOML: " + std::string(problem.description());
    return error;
  }
}

}  // namespace vramlint::config
