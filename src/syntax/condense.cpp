// SPDX-License-Identifier: MIT
//
// A class that is made runs none of its methods, and most of them nobody ever runs; half of what
// people write in a function is its description. tree-sitter reads a blank as slowly as a name, so
// nothing is left in place of what is taken out.
#include "syntax/condense.h"

#include <algorithm>
#include <optional>

#include "syntax/lines.h"

namespace vramlint::syntax {
namespace {

/// Shorter bodies cost less to parse at once than to come back to.
constexpr size_t shortest_body = 200;
constexpr size_t shortest_description = 40;
constexpr std::string_view stub = "...";

class Condenser {
 public:
  Condenser(std::string_view definition, Bodies bodies)
      : bytes_(definition), lines_(definition), leaves_out_(bodies == Bodies::left_out) {
    made_.text.reserve(definition.size() / (leaves_out_ ? 4 : 1));
  }

  Condensed run() {
    while (!lines_.at_end()) {
      const size_t begin = lines_.at();
      const size_t start = first_of_line(begin);
      if (start == std::string_view::npos) {
        lines_.skip_logical_line();
        if (!open_) cut_to(lines_.at());
        continue;
      }
      read_line(begin, start);
    }
    if (open_) close(bytes_.size());
    keep_to(bytes_.size());
    return std::move(made_);
  }

 private:
  /// A function that is being read.
  struct Open {
    size_t begin;
    size_t indent;
    size_t head_end;
    std::optional<size_t> body;  ///< its first statement, …
    size_t body_line = 0;        ///< … and the line that it stands in
  };

  void read_line(size_t begin, size_t start) {
    const size_t indent = start - begin;
    if (open_ && indent <= open_->indent) close(begin);
    if (open_ && !open_->body) {
      open_->body = start;
      open_->body_line = begin;
    }
    const bool is_function = leaves_out_ && !open_ && is_outer(indent) && opens_function(start);
    lines_.skip_logical_line();
    if (open_) return;
    if (is_function && ends_with_colon(start)) {
      keep_to(lines_.at());
      open_ = Open{start, indent, lines_.at(), std::nullopt, 0};
      return;
    }
    cut_description(start);
    keep_to(lines_.at());
  }

  /// Where the statement of a line begins; nothing for blank lines and comments.
  size_t first_of_line(size_t begin) const {
    const size_t start = bytes_.find_first_not_of(" \t\f", begin);
    const bool empty = start == std::string_view::npos || bytes_[start] == '\n' ||
                       bytes_[start] == '\r' || bytes_[start] == '#';
    return empty ? std::string_view::npos : start;
  }

  /// Directly in the class, or the function itself.
  bool is_outer(size_t indent) {
    if (indent == 0) return true;
    if (!level_) level_ = indent;
    return indent == *level_;
  }

  bool opens_function(size_t start) const {
    std::string_view word = lines_.word_at(start);
    if (word == "async") word = lines_.word_at(lines_.skip_blanks(start + word.size()));
    return word == "def";
  }

  /// Whether the body stands in lines of its own.
  bool ends_with_colon(size_t start) const {
    std::string_view head = bytes_.substr(start, lines_.at() - start);
    head = head.substr(0, head.find_last_not_of("\n\r") + 1);
    const size_t last_line = head.find_last_of("\n\r");
    // A comment may follow; a `#` in a text is rare enough there.
    head = head.substr(0, head.find('#', last_line == std::string_view::npos ? 0 : last_line));
    const size_t end = head.find_last_not_of(" \t\r\n");
    return end != std::string_view::npos && head[end] == ':';
  }

  void close(size_t end) {
    const Open function = *open_;
    open_.reset();
    size_t last = end;
    while (last > function.head_end && (bytes_[last - 1] == '\n' || bytes_[last - 1] == '\r'))
      --last;
    if (!function.body || last < *function.body + shortest_body) return keep_to(end);
    const size_t begin = made_.text.size() - (function.head_end - function.begin);
    made_.functions.push_back(
        {static_cast<uint32_t>(begin),
         {static_cast<uint32_t>(function.begin), static_cast<uint32_t>(last)}});
    cut_to(function.body_line);
    keep_to(*function.body);
    made_.text += stub;
    done_ += stub.size();
    cut_to(last);
    keep_to(end);
  }

  /// A text over several lines that is a statement of its own.
  void cut_description(size_t start) {
    size_t quotes = start;
    while (quotes < lines_.at() && lines_.word_at(quotes).size() == 1) ++quotes;
    const std::string_view line = bytes_.substr(quotes, lines_.at() - quotes);
    const std::string_view mark = line.substr(0, 3);
    if (mark != "\"\"\"" && mark != "'''") return;
    const size_t end = line.find(mark, mark.size());
    const size_t last = line.find_last_not_of(" \t\r\n");
    const bool alone = end != std::string_view::npos && end + mark.size() == last + 1;
    if (!alone || end < shortest_description) return;
    keep_to(quotes + mark.size());
    cut_to(quotes + end);
  }

  void keep_to(size_t end) {
    if (end <= done_) return;
    made_.text += bytes_.substr(done_, end - done_);
    done_ = end;
  }

  void cut_to(size_t end) {
    if (end <= done_) return;
    const auto at = static_cast<uint32_t>(made_.text.size());
    done_ = end;
    const auto missing = static_cast<uint32_t>(done_ - at);
    if (!made_.cuts.empty() && made_.cuts.back().at == at) {
      made_.cuts.back().missing = missing;
    } else {
      made_.cuts.push_back({at, missing});
    }
  }

  std::string_view bytes_;
  Lines lines_;
  bool leaves_out_;
  Condensed made_;
  size_t done_ = 0;  ///< kept or cut up to here
  std::optional<Open> open_;
  std::optional<size_t> level_;  ///< indent of the class body
};

}  // namespace

uint32_t Condensed::original(uint32_t at) const {
  const auto after = std::ranges::upper_bound(cuts, at, {}, &Cut::at);
  return after == cuts.begin() ? at : at + std::prev(after)->missing;
}

Condensed condense(std::string_view definition, Bodies bodies) {
  return Condenser(definition, bodies).run();
}

}  // namespace vramlint::syntax
