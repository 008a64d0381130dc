// SPDX-License-Identifier: MIT
//
// Cuts an allocator string the way its author read it, not the way PyTorch does: explanations speak
// of the option that was meant. Judges nothing; the verdict comes from `verdict.cpp`.
#include "settings/pieces.h"

#include <algorithm>

#include "settings/numbers.h"

namespace vramlint::settings {

namespace {

using Keys = std::span<const knowledge::AllocatorKeyRow>;

/// More options than this are nobody's: what follows stays one piece.
constexpr std::size_t most_pieces = 1000;

constexpr std::string_view odd_joints = ";|&/+:";

bool may_part(char letter) {
  return is_space(letter) || odd_joints.find(letter) != std::string_view::npos;
}

bool is_name_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_';
}

text::Span span_of(std::size_t begin, std::size_t end) {
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

class Scanner {
 public:
  Scanner(std::string_view string, Keys keys) : string_(string), keys_(keys) {}

  std::size_t end_of_piece(std::size_t begin) const {
    bool separated = false;
    bool valued = false;
    std::size_t at = begin;
    while (at < string_.size() && string_[at] != ',') {
      const char letter = string_[at];
      if (letter == '[') {
        at = end_of_list(at);
        valued = true;
      } else if (valued && may_part(letter)) {
        const std::size_t after = end_of_joint(at);
        if (key_begins_at(after)) return at;
        at = after;
      } else {
        if (separated) valued = valued || !is_space(letter);
        separated = separated || letter == ':' || letter == '=';
        ++at;
      }
    }
    return at;
  }

  std::size_t end_of_joint(std::size_t at) const {
    if (at < string_.size() && string_[at] == ',') return at + 1;
    while (at < string_.size() && may_part(string_[at])) ++at;
    return at;
  }

 private:
  /// A list that nobody closes reaches to the end.
  std::size_t end_of_list(std::size_t open) const {
    const std::size_t close = string_.find(']', open);
    return close == std::string_view::npos ? string_.size() : close + 1;
  }

  bool key_begins_at(std::size_t at) const {
    std::size_t end = at;
    while (end < string_.size() && is_name_letter(string_[end])) ++end;
    if (find_key_of_any_release(keys_, string_.substr(at, end - at)) == nullptr) return false;
    while (end < string_.size() && is_space(string_[end])) ++end;
    return end == string_.size() || string_[end] == ':' || string_[end] == '=' ||
           string_[end] == ',';
  }

  std::string_view string_;
  Keys keys_;
};

Piece piece_between(std::string_view string, std::size_t begin, std::size_t end) {
  Piece piece;
  piece.around = span_of(begin, end);
  piece.whole = trimmed(string, piece.around);
  piece.key = piece.whole;
  const std::string_view text = slice(string, piece.whole);
  const std::size_t mark = text.find_first_of(":=[");
  if (mark == std::string_view::npos || text[mark] == '[') return piece;
  const std::size_t at = piece.whole.begin + mark;
  piece.key = trimmed(string, span_of(piece.whole.begin, at));
  piece.separator = span_of(at, at + 1);
  piece.value = trimmed(string, span_of(at + 1, piece.whole.end));
  return piece;
}

/// `expandable_segments,True`: a key with nothing but its name, then something that is no option.
bool is_parted_pair(std::string_view string, Keys keys, const Piece& name, const Piece& value) {
  const auto key_of = [&](const Piece& piece) {
    return find_key_of_any_release(keys, slice(string, piece.whole));
  };
  return name.separator.size() == 0 && key_of(name) != nullptr && value.separator.size() == 0 &&
         value.whole.size() != 0 && key_of(value) == nullptr;
}

void join_parted_pairs(std::string_view string, Keys keys, std::vector<Piece>& pieces) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i, ++kept) {
    pieces[kept] = pieces[i];
    if (i + 1 == pieces.size() || !is_parted_pair(string, keys, pieces[i], pieces[i + 1])) continue;
    pieces[kept].separator = pieces[i + 1].joint;
    pieces[kept].value = pieces[i + 1].whole;
    pieces[kept].whole.end = pieces[i + 1].whole.end;
    pieces[kept].around.end = pieces[i + 1].around.end;
    ++i;
  }
  pieces.resize(kept);
}

}  // namespace

std::vector<Piece> split_pieces(std::string_view string, Keys keys) {
  const Scanner scanner(string, keys);
  std::vector<Piece> pieces;
  text::Span joint;
  for (std::size_t at = 0;;) {
    const bool enough = pieces.size() == most_pieces;
    const std::size_t end = enough ? string.size() : scanner.end_of_piece(at);
    pieces.push_back(piece_between(string, at, end));
    pieces.back().joint = joint;
    if (end == string.size()) break;
    at = scanner.end_of_joint(end);
    joint = span_of(end, at);
  }
  join_parted_pairs(string, keys, pieces);
  return pieces;
}

const knowledge::AllocatorKeyRow* find_key_of_any_release(Keys keys, std::string_view name) {
  const auto named = [name](const knowledge::AllocatorKeyRow& key) {
    return key.name == name || std::ranges::find(key.aliases, name) != key.aliases.end();
  };
  const auto found = std::ranges::find_if(keys, named);
  return found == keys.end() ? nullptr : &*found;
}

std::string_view slice(std::string_view string, text::Span span) {
  return string.substr(span.begin, span.size());
}

text::Span trimmed(std::string_view string, text::Span span) {
  while (span.begin < span.end && is_space(string[span.begin])) ++span.begin;
  while (span.end > span.begin && is_space(string[span.end - 1])) --span.end;
  return span;
}

}  // namespace vramlint::settings
