// SPDX-License-Identifier: MIT
#include "lsp/protocol.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

namespace vramlint::lsp {

namespace {

constexpr int max_depth = 64;
constexpr std::size_t max_values = 2'000'000;

/// Whether the text stays below both, told without building anything from it: that would take far
/// more memory than the text.
bool is_moderate(std::string_view text) {
  int depth = 0;
  std::size_t values = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char byte = text[at];
    if (in_string) {
      if (byte == '\\') ++at;
      in_string = byte != '"';
    } else if (byte == '"') {
      in_string = true;
    } else if (byte == '[' || byte == '{') {
      if (++depth > max_depth || ++values > max_values) return false;
    } else if (byte == ']' || byte == '}') {
      --depth;
    } else if (byte == ',') {
      if (++values > max_values) return false;
    }
  }
  return true;
}

/// The 16 bits of the escape `\uD83D` at a place; nothing for what is no such escape.
std::optional<uint32_t> escaped_unit(std::string_view text, std::size_t at) {
  constexpr std::size_t size = 6;
  if (at + size > text.size() || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
  uint32_t unit = 0;
  const char* begin = text.data() + at + 2;
  const auto [end, failed] = std::from_chars(begin, begin + 4, unit, 16);
  if (failed != std::errc() || end != begin + 4) return std::nullopt;
  return unit;
}

bool is_first_half(uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_second_half(uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

/// The text with `\ufffd` for each half of a pair whose other half is missing. JavaScript has texts
/// with such halves and writes them so; UTF-8 has none. In UTF-16 both are as long.
std::string with_whole_pairs(std::string_view text) {
  std::string made(text);
  for (std::size_t at = made.find('\\'); at < made.size(); at = made.find('\\', at)) {
    const std::optional<uint32_t> unit = escaped_unit(made, at);
    if (!unit) {
      at += 2;
      continue;
    }
    const std::optional<uint32_t> next = escaped_unit(made, at + 6);
    const bool is_pair = is_first_half(*unit) && next && is_second_half(*next);
    const bool is_half = is_first_half(*unit) || is_second_half(*unit);
    if (is_half && !is_pair) made.replace(at, 6, "\\ufffd");
    at += is_pair ? 12 : 6;
  }
  return made;
}

bool may_hold_halves(std::string_view text) {
  return text.find("\\ud") != std::string_view::npos || text.find("\\uD") != std::string_view::npos;
}

constexpr auto replacing = Json::error_handler_t::replace;

}  // namespace

std::optional<Json> parse_message(std::string_view body) {
  if (!is_moderate(body)) return std::nullopt;
  Json message = may_hold_halves(body) ? Json::parse(with_whole_pairs(body), nullptr, false)
                                       : Json::parse(body, nullptr, false);
  if (message.is_discarded()) return std::nullopt;
  return message;
}

std::string text_of(const Json& message) { return message.dump(-1, ' ', false, replacing); }

Json response(const Json& id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json error_response(const Json& id, const Refusal& refusal) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"error", {{"code", static_cast<int>(refusal.code)}, {"message", refusal.message}}}};
}

Json notification(std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

Json request(int64_t id, std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

bool is_id(const Json& value) { return value.is_string() || value.is_number(); }

const Json& member(const Json& value, std::string_view name) {
  static const Json nothing;
  if (!value.is_object()) return nothing;
  const auto found = value.find(name);
  return found == value.end() ? nothing : *found;
}

const Json& member_at(const Json& value, std::string_view path) {
  const Json* at = &value;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    at = &member(*at, path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return *at;
}

std::string string_at(const Json& value, std::string_view path) {
  const Json& found = member_at(value, path);
  return found.is_string() ? found.get<std::string>() : std::string();
}

bool flag_at(const Json& value, std::string_view path) {
  const Json& found = member_at(value, path);
  return found.is_boolean() && found.get<bool>();
}

std::optional<uint32_t> number_in(const Json& value) {
  constexpr uint32_t most = std::numeric_limits<uint32_t>::max();
  if (value.is_number_unsigned()) {
    return static_cast<uint32_t>(std::min<uint64_t>(value.get<uint64_t>(), most));
  }
  if (!value.is_number_integer() || value.get<int64_t>() < 0) return std::nullopt;
  return static_cast<uint32_t>(std::min<int64_t>(value.get<int64_t>(), most));
}

Json json_of(Position position) {
  return {{"line", position.line}, {"character", position.character}};
}

Json json_of(Range range) { return {{"start", json_of(range.start)}, {"end", json_of(range.end)}}; }

std::optional<Position> position_in(const Json& value) {
  const std::optional<uint32_t> line = number_in(member(value, "line"));
  const std::optional<uint32_t> character = number_in(member(value, "character"));
  if (!line || !character) return std::nullopt;
  return Position{*line, *character};
}

std::optional<Range> range_in(const Json& value) {
  const std::optional<Position> start = position_in(member(value, "start"));
  const std::optional<Position> end = position_in(member(value, "end"));
  if (!start || !end) return std::nullopt;
  return Range{*start, *end};
}

}  // namespace vramlint::lsp
