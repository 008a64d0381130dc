// SPDX-License-Identifier: MIT
#include "lsp/uri.h"

#include <cctype>

namespace vramlint::lsp {

namespace {

constexpr std::string_view scheme = "file://";
constexpr std::string_view hexadecimal = "0123456789ABCDEF";

std::optional<unsigned> digit_of(char letter) {
  const std::size_t at =
      hexadecimal.find(static_cast<char>(std::toupper(static_cast<unsigned char>(letter))));
  return at == std::string_view::npos ? std::nullopt : std::optional(static_cast<unsigned>(at));
}

std::optional<std::string> decoded(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      bytes += text[at];
      continue;
    }
    if (at + 2 >= text.size()) return std::nullopt;
    const std::optional<unsigned> high = digit_of(text[at + 1]);
    const std::optional<unsigned> low = digit_of(text[at + 2]);
    if (!high || !low || *high * 16 + *low == 0) return std::nullopt;
    bytes += static_cast<char>(*high * 16 + *low);
    at += 2;
  }
  return bytes;
}

bool is_letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }

/// `c:/` or `c:`.
bool has_drive(std::string_view path) {
  return path.size() >= 2 && is_letter(path[0]) && path[1] == ':';
}

bool stays(char byte) {
  const bool is_digit = byte >= '0' && byte <= '9';
  return is_letter(byte) || is_digit || std::string_view("-._~/").find(byte) != std::string::npos;
}

}  // namespace

std::optional<std::string> path_of_uri(std::string_view uri) {
  if (!uri.starts_with(scheme)) return std::nullopt;
  std::string_view rest = uri.substr(scheme.size());
  // A query or fragment is no part of a path; both marks are escaped inside of one.
  rest = rest.substr(0, rest.find_first_of("?#"));
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view host = rest.substr(0, slash);
  std::optional<std::string> path = decoded(rest.substr(slash));
  if (!path) return std::nullopt;
  if (!host.empty() && host != "localhost") return "//" + std::string(host) + *path;
  if (has_drive(std::string_view(*path).substr(1))) path->erase(0, 1);
  return path;
}

std::string uri_of_path(std::string_view path) {
  std::string uri(scheme);
  if (has_drive(path)) uri += '/';
  for (const char byte : path) {
    if (stays(byte)) {
      uri += byte;
      continue;
    }
    const auto value = static_cast<unsigned char>(byte);
    uri += '%';
    uri += hexadecimal[value >> 4];
    uri += hexadecimal[value & 15];
  }
  return uri;
}

}  // namespace vramlint::lsp
