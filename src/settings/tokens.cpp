// SPDX-License-Identifier: MIT
//
// Cuts an allocator string into the pieces that PyTorch's own parsers see. Three tokenisers, one
// after the other in PyTorch's history; which one a release uses is a row. Knows no key.
#include "settings/tokens.h"

#include "settings/numbers.h"

namespace vramlint::settings {

namespace {

using knowledge::AllocatorTokenizer;

bool is_mark(char letter) {
  return letter == ',' || letter == ':' || letter == '[' || letter == ']';
}

text::Span span_of(std::size_t begin, std::size_t end) {
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

}  // namespace

bool is_dropped(char letter, AllocatorTokenizer tokenizer) {
  return tokenizer == AllocatorTokenizer::tokens ? is_space(letter) : letter == ' ';
}

std::string kept_text(std::string_view text, AllocatorTokenizer tokenizer) {
  std::string out;
  out.reserve(text.size());
  for (const char letter : text) {
    if (!is_dropped(letter, tokenizer)) out += letter;
  }
  return out;
}

Tokens::Tokens(std::string_view string, AllocatorTokenizer tokenizer) {
  kept_.reserve(string.size());
  origin_.reserve(string.size());
  for (std::size_t i = 0; i < string.size(); ++i) {
    if (is_dropped(string[i], tokenizer)) continue;
    kept_ += string[i];
    origin_.push_back(static_cast<uint32_t>(i));
  }
  std::size_t begin = 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (!is_mark(kept_[i])) continue;
    add(begin, i);
    add(i, i + 1);
    begin = i + 1;
  }
  add(begin, kept_.size());
}

void Tokens::add(std::size_t begin, std::size_t end) {
  if (begin == end) return;
  ranges_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
}

Token Tokens::operator[](std::size_t index) const {
  const Range range = ranges_[index];
  const std::string_view text =
      std::string_view(kept_).substr(range.begin, range.end - range.begin);
  return {text, {origin_[range.begin], origin_[range.end - 1] + 1}};
}

/// As a regex token iterator gives them: an empty piece in front of a leading run, none after a
/// trailing one.
bool Options::next() {
  if (at_ >= string_.size()) return false;
  const auto ends_option = [](char letter) { return letter == ',' || is_space(letter); };
  const std::size_t begin = at_;
  while (at_ < string_.size() && !ends_option(string_[at_])) ++at_;
  span_ = span_of(begin, at_);
  while (at_ < string_.size() && ends_option(string_[at_])) ++at_;

  parts_.clear();
  std::size_t part_begin = span_.begin;
  for (std::size_t i = span_.begin; i < span_.end;) {
    if (string_[i] != ':') {
      ++i;
      continue;
    }
    parts_.push_back(span_of(part_begin, i));
    while (i < span_.end && string_[i] == ':') ++i;
    part_begin = i;
  }
  if (part_begin < span_.end || parts_.empty()) parts_.push_back(span_of(part_begin, span_.end));
  return true;
}

}  // namespace vramlint::settings
