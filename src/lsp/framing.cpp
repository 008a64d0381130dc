// SPDX-License-Identifier: MIT
#include "lsp/framing.h"

#include <algorithm>
#include <charconv>

namespace vramlint::lsp {

namespace {

constexpr std::size_t max_header_bytes = 4096;
constexpr std::string_view length_field = "content-length";

bool same_letters(std::string_view left, std::string_view lower) {
  return std::ranges::equal(left, lower, {}, [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// What a line of a header says about the length, if that is what it is about.
std::optional<uint64_t> length_in(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos ||
      !same_letters(trimmed(line.substr(0, colon)), length_field))
    return std::nullopt;
  const std::string_view digits = trimmed(line.substr(colon + 1));
  uint64_t length = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  const bool whole = failed == std::errc() && end == digits.data() + digits.size();
  return whole ? std::optional(length) : std::nullopt;
}

struct Header {
  std::size_t bytes = 0;  ///< with the blank line; 0 when that has not come yet
  std::optional<uint64_t> length;
};

/// Lines may end without the carriage return: some clients for testing leave it out.
Header header_in(std::string_view bytes) {
  Header header;
  std::size_t at = 0;
  while (true) {
    const std::size_t end = bytes.find('\n', at);
    if (end == std::string_view::npos) return header;
    const std::string_view line = trimmed(bytes.substr(at, end - at));
    if (line.empty()) {
      header.bytes = end + 1;
      return header;
    }
    if (const std::optional<uint64_t> length = length_in(line)) header.length = length;
    at = end + 1;
  }
}

}  // namespace

std::optional<MessageReader::Incoming> MessageReader::next() {
  if (skipped_ > 0) {
    const auto here =
        static_cast<std::size_t>(std::min<uint64_t>(skipped_, buffer_.size() - begin_));
    drop(here);
    skipped_ -= here;
    if (skipped_ > 0) return std::nullopt;
  }
  while (!body_) {
    const std::size_t before = begin_;
    std::optional<Incoming> said = read_header();
    if (said) return said;
    if (!body_ && begin_ == before) return std::nullopt;
  }
  if (buffer_.size() - begin_ < *body_) return std::nullopt;
  Incoming incoming;
  incoming.body = buffer_.substr(begin_, static_cast<std::size_t>(*body_));
  drop(static_cast<std::size_t>(*body_));
  body_.reset();
  lost_ = false;
  return incoming;
}

/// Goes past a header, or past bytes that can't begin one.
std::optional<MessageReader::Incoming> MessageReader::read_header() {
  const std::string_view bytes = std::string_view(buffer_).substr(begin_);
  const Header header = header_in(bytes.substr(0, max_header_bytes));
  if (header.bytes == 0) {
    if (bytes.size() < max_header_bytes) return std::nullopt;
    // The field may begin in the last line of these.
    const std::size_t line = bytes.substr(0, max_header_bytes).rfind('\n');
    const bool has_line = line != std::string_view::npos && line > 0;
    return lose(has_line ? line : max_header_bytes - length_field.size());
  }
  if (!header.length) {
    // A blank line alone between messages does no harm.
    const bool is_blank = trimmed(bytes.substr(0, header.bytes - 1)).empty();
    if (!is_blank) return lose(header.bytes);
    drop(header.bytes);
    return std::nullopt;
  }
  drop(header.bytes);
  if (*header.length > max_bytes_) {
    skipped_ = *header.length;
    return Incoming{Kind::too_large, {}};
  }
  body_ = header.length;
  return std::nullopt;
}

std::optional<MessageReader::Incoming> MessageReader::lose(std::size_t bytes) {
  drop(bytes);
  if (lost_) return std::nullopt;
  lost_ = true;
  return Incoming{Kind::broken, {}};
}

void MessageReader::drop(std::size_t bytes) {
  begin_ += bytes;
  // Moved now and then only, so that many small messages cost no more than their bytes.
  if (begin_ == buffer_.size()) {
    buffer_.clear();
    begin_ = 0;
  } else if (begin_ > (1 << 16) && begin_ * 2 > buffer_.size()) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
}

std::string framed(std::string_view body) {
  std::string bytes = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  bytes += body;
  return bytes;
}

}  // namespace vramlint::lsp
