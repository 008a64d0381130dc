// SPDX-License-Identifier: MIT
#include "lsp/changes.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

namespace vramlint::lsp {

namespace {

/// A text as its lines with their ends. The last one has none, and may be empty.
class Lines {
 public:
  explicit Lines(const text::Source& source) : lines_(lines_of(source)) {}

  void make(const Change& change, Encoding encoding) {
    if (!change.range) {
      lines_ = lines_of(source_of(change.text));
      return;
    }
    // One line more on both sides: `\r` and `\n` may come together there, or be parted.
    Range range = *change.range;
    const std::size_t upper = std::min(range.start.line, range.end.line);
    const std::size_t lower = std::max(range.start.line, range.end.line);
    const std::size_t first = std::min(upper, lines_.size() - 1);
    const std::size_t begin = first == 0 ? 0 : first - 1;
    const std::size_t end = std::min(lower + 2, lines_.size());
    range.start.line -= static_cast<uint32_t>(begin);
    range.end.line -= static_cast<uint32_t>(begin);
    std::string around;
    for (std::size_t at = begin; at < end; ++at) around += lines_[at];
    const text::Source old = source_of(std::move(around));
    const text::Span span = span_at(old, range, encoding);
    std::string text(old.bytes().substr(0, span.begin));
    text += change.text;
    text += old.bytes().substr(span.end);
    std::vector<std::string> made = lines_of(source_of(std::move(text)));
    // Behind the end of a line in the middle no other begins.
    if (end < lines_.size()) made.pop_back();
    put(begin, end, std::move(made));
  }

  std::string text() const {
    std::string text;
    for (const std::string& line : lines_) text += line;
    return text;
  }

 private:
  static text::Source source_of(std::string text) {
    return {std::string(), std::move(text), text::Language::other};
  }

  static std::vector<std::string> lines_of(const text::Source& source) {
    std::vector<std::string> lines;
    for (uint32_t line = 1; line <= source.line_count(); ++line) {
      lines.emplace_back(source.slice({source.line_begin(line), source.line_begin(line + 1)}));
    }
    return lines;
  }

  void put(std::size_t begin, std::size_t end, std::vector<std::string> made) {
    const std::size_t same = std::min(end - begin, made.size());
    const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto kept = made.begin() + static_cast<std::ptrdiff_t>(same);
    std::move(made.begin(), kept, first);
    const auto rest = first + static_cast<std::ptrdiff_t>(same);
    const auto behind = lines_.erase(rest, lines_.begin() + static_cast<std::ptrdiff_t>(end));
    lines_.insert(behind, std::make_move_iterator(kept), std::make_move_iterator(made.end()));
  }

  std::vector<std::string> lines_;
};

}  // namespace

std::string changed(const text::Source& before, const std::vector<Change>& changes,
                    Encoding encoding) {
  if (changes.size() == 1 && changes.front().range) {
    const text::Span span = span_at(before, *changes.front().range, encoding);
    std::string text(before.bytes().substr(0, span.begin));
    text += changes.front().text;
    return text += before.bytes().substr(span.end);
  }
  Lines lines(before);
  for (const Change& change : changes) lines.make(change, encoding);
  return lines.text();
}

}  // namespace vramlint::lsp
