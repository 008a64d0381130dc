// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "knowledge/allocator_rows.h"
#include "text/span.h"

namespace vramlint::settings {

/// One token of an allocator string as PyTorch sees it, and where it came from.
struct Token {
  std::string_view text;  ///< without the whitespace that PyTorch drops
  text::Span span;        ///< in the string as written
};

/// The tokens of a string, 2.0 and later. Keeps eight bytes a token, since hostile text is all
/// tokens.
class Tokens {
 public:
  Tokens(std::string_view string, knowledge::AllocatorTokenizer tokenizer);

  std::size_t size() const { return ranges_.size(); }
  Token operator[](std::size_t index) const;
  bool is(std::size_t index, std::string_view text) const {
    return index < size() && (*this)[index].text == text;
  }

 private:
  struct Range {
    uint32_t begin;
    uint32_t end;
  };

  void add(std::size_t begin, std::size_t end);

  std::string kept_;              ///< the string without dropped whitespace
  std::vector<uint32_t> origin_;  ///< where each byte of it came from
  std::vector<Range> ranges_;     ///< in `kept_`
};

/// Whether the release drops this character before it looks at a token.
bool is_dropped(char letter, knowledge::AllocatorTokenizer tokenizer);
/// The text with dropped characters taken out.
std::string kept_text(std::string_view text, knowledge::AllocatorTokenizer tokenizer);

/// Walks the pieces of a string as the parser of 1.10 to 1.13 cuts it, and as the scan for
/// `backend` of 2.0 to 2.9 does: at runs of commas and whitespace, then at runs of colons.
class Options {
 public:
  explicit Options(std::string_view string) : string_(string) {}

  /// The next piece; false after the last.
  bool next();
  text::Span span() const { return span_; }
  /// Its parts between colons; at least one, and the first may be empty.
  const std::vector<text::Span>& parts() const { return parts_; }
  std::string_view part(std::size_t index) const {
    return string_.substr(parts_[index].begin, parts_[index].size());
  }

 private:
  std::string_view string_;
  std::size_t at_ = 0;
  text::Span span_;
  std::vector<text::Span> parts_;
};

}  // namespace vramlint::settings
