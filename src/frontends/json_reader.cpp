// SPDX-License-Identifier: MIT
#include "frontends/json_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "text/utf8.h"

namespace vramlint::frontends {

namespace {

constexpr std::string_view blanks = " \t\r\n";

/// The bytes that matter in what is stepped over. A look into a table is some five times faster
/// here than `find_first_of`.
constexpr std::array<bool, 256> make_structural() {
  std::array<bool, 256> made{};
  for (const char byte : {'"', '[', ']', '{', '}'}) made[static_cast<unsigned char>(byte)] = true;
  return made;
}
constexpr std::array<bool, 256> structural = make_structural();

/// Four hexadecimal digits; -1 for anything else.
int code_unit(std::string_view digits) {
  int value = 0;
  const char* end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, value, 16);
  return digits.size() == 4 && error == std::errc() && at == end && digits[0] != '-' ? value : -1;
}

void add_utf8(std::string& text, uint32_t point) {
  const auto add = [&text](uint32_t byte) { text += static_cast<char>(byte); };
  const auto add_rest = [&](int shift) { add(0x80 | (point >> shift & 0x3f)); };
  if (point < 0x80) return add(point);
  if (point < 0x800) return add(0xc0 | point >> 6), add_rest(0);
  if (point < 0x10000) return add(0xe0 | point >> 12), add_rest(6), add_rest(0);
  add(0xf0 | point >> 18), add_rest(12), add_rest(6), add_rest(0);
}

/// An escape sequence that begins with the backslash at the front of `rest`; how many bytes it has.
std::size_t decode_escape(std::string_view rest, std::string& text) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  if (rest.size() < 2) return text += rest, rest.size();
  const std::size_t letter = letters.find(rest[1]);
  if (letter != std::string_view::npos) return text += meanings[letter], 2;
  const int unit = rest[1] == 'u' ? code_unit(rest.substr(2, 4)) : -1;
  if (unit < 0) return text += rest.substr(0, 1), 1;  // no escape: as it stands
  const bool is_high = unit >= 0xd800 && unit < 0xdc00;
  const bool is_low = unit >= 0xdc00 && unit < 0xe000;
  const std::string_view follows = rest.substr(6);
  const int second = is_high && follows.starts_with("\\u") ? code_unit(follows.substr(2, 4)) : -1;
  if (second >= 0xdc00 && second < 0xe000) {
    add_utf8(text, 0x10000u + (static_cast<uint32_t>(unit - 0xd800) << 10) +
                       static_cast<uint32_t>(second - 0xdc00));
    return 12;
  }
  if (is_high || is_low) return text += text::replacement_character, 6;
  add_utf8(text, static_cast<uint32_t>(unit));
  return 6;
}

}  // namespace

JsonReader::JsonReader(std::string_view bytes) : bytes_(bytes) {
  if (bytes.starts_with(text::byte_order_mark)) at_ = text::byte_order_mark.size();
}

void JsonReader::fail(std::string_view message) {
  if (failed()) return;
  const auto lines =
      std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
  fault_ = "line " + std::to_string(lines + 1) + ": ";
  fault_ += at_ < bytes_.size() ? message : "the file ends in the middle";
}

void JsonReader::skip_blanks() {
  at_ = std::min(bytes_.find_first_not_of(blanks, at_), bytes_.size());
}

bool JsonReader::next_is(char byte) {
  skip_blanks();
  return !failed() && at_ < bytes_.size() && bytes_[at_] == byte;
}

void JsonReader::enter() {
  ++at_;
  entered_ = true;
}

/// Whether another value follows in the object or array that ends at `closing`.
bool JsonReader::next_after_comma(char closing) {
  const bool is_first = std::exchange(entered_, false);
  if (next_is(closing)) {
    ++at_;
    return false;
  }
  if (failed() || is_first) return !failed();
  if (!next_is(',')) {
    fail(closing == '}' ? "expected `,` or `}`" : "expected `,` or `]`");
    return false;
  }
  ++at_;
  return true;
}

bool JsonReader::next_member(std::string& key) {
  if (!next_after_comma('}')) return false;
  if (!is_string()) {
    fail("expected a name in quotes");
    return false;
  }
  std::vector<text::StoredPiece> places;
  key.clear();
  decode_string(bytes_, read_string(), key, places);
  if (!next_is(':')) fail("expected `:`");
  if (failed()) return false;
  ++at_;
  return true;
}

bool JsonReader::next_item() { return next_after_comma(']'); }

text::Span JsonReader::read_string() {
  const std::size_t begin = at_ + 1;
  std::size_t end = begin;
  while (true) {
    end = bytes_.find('"', end);
    if (end == std::string_view::npos) {
      fail("a string without an end");
      at_ = bytes_.size();
      return {at(), at()};
    }
    std::size_t backslashes = 0;
    while (end - backslashes > begin && bytes_[end - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) break;
    ++end;
  }
  at_ = end + 1;
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

void JsonReader::skip() {
  if (is_string()) return void(read_string());
  if (is_object() || is_array()) return skip_nested();
  if (failed()) return;
  // A number or a word; Python writes `NaN` too.
  const std::size_t end = std::min(bytes_.find_first_of(" \t\r\n,]}\"[{:", at_), bytes_.size());
  if (end == at_) return fail("expected a value");
  at_ = end;
}

/// Without recursion: brackets may nest as deep as they like.
void JsonReader::skip_nested() {
  std::vector<char> open;
  do {
    while (at_ < bytes_.size() && !structural[static_cast<unsigned char>(bytes_[at_])]) ++at_;
    if (at_ >= bytes_.size()) return fail("");
    const char byte = bytes_[at_];
    if (byte == '"') {
      read_string();
      if (failed()) return;
      continue;
    }
    if (byte == '[' || byte == '{') {
      open.push_back(byte == '[' ? ']' : '}');
    } else if (byte != open.back()) {
      return fail("expected another closing bracket");
    } else {
      open.pop_back();
    }
    ++at_;
  } while (!open.empty());
}

void JsonReader::expect_end() {
  skip_blanks();
  if (at_ < bytes_.size()) fail("the file goes on behind its end");
}

void decode_string(std::string_view bytes, text::Span inside, std::string& text,
                   std::vector<text::StoredPiece>& pieces) {
  const auto add_piece = [&](std::size_t begin, std::size_t stored, std::size_t stored_size) {
    pieces.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(stored),
                      static_cast<uint32_t>(text.size() - begin),
                      static_cast<uint32_t>(stored_size)});
  };
  std::size_t at = inside.begin;
  while (at < inside.end) {
    const std::size_t begin = text.size();
    const std::size_t escape =
        std::min<std::size_t>(bytes.substr(0, inside.end).find('\\', at), inside.end);
    if (escape > at) {
      text += bytes.substr(at, escape - at);
      add_piece(begin, at, escape - at);
      at = escape;
      continue;
    }
    const std::size_t size = decode_escape(bytes.substr(at, inside.end - at), text);
    add_piece(begin, at, size);
    at += size;
  }
}

}  // namespace vramlint::frontends
