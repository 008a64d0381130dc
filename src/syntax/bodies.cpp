// SPDX-License-Identifier: MIT
#include "syntax/bodies.h"

#include <algorithm>
#include <optional>

#include "syntax/lines.h"

namespace vramlint::syntax {
namespace {

/// Shorter bodies cost less to parse at once than to come back to.
constexpr size_t shortest = 200;

class Shortener {
 public:
  explicit Shortener(std::string_view definition)
      : bytes_(definition), lines_(definition), made_{std::string(definition)} {}

  Shortened run() {
    while (!lines_.at_end()) {
      const size_t begin = lines_.at();
      const size_t start = first_of_line(begin);
      if (start == std::string_view::npos) {
        lines_.skip_logical_line();
        continue;
      }
      const size_t indent = start - begin;
      if (open_ && indent <= open_->indent) close(begin);
      if (open_ && !open_->body) open_->body = start;
      const bool is_function = !open_ && is_outer(indent) && opens_function(start);
      lines_.skip_logical_line();
      if (is_function && ends_with_colon(start)) open_ = Open{start, indent, std::nullopt};
    }
    if (open_) close(bytes_.size());
    return std::move(made_);
  }

 private:
  /// A function that is being read.
  struct Open {
    size_t begin;
    size_t indent;
    std::optional<size_t> body;  ///< its first statement
  };

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
    const size_t last_line = head.find_last_of("\n\r", head.find_last_not_of("\n\r"));
    const size_t from = last_line == std::string_view::npos ? 0 : last_line;
    // A comment may follow; a `#` in a text is rare enough there.
    head = head.substr(0, head.find('#', from));
    const size_t end = head.find_last_not_of(" \t\r\n");
    return end != std::string_view::npos && head[end] == ':';
  }

  void close(size_t end) {
    const Open function = *open_;
    open_.reset();
    while (end > function.begin && (bytes_[end - 1] == '\n' || bytes_[end - 1] == '\r')) --end;
    if (!function.body || end < *function.body + shortest) return;
    made_.functions.push_back(
        {static_cast<uint32_t>(function.begin), static_cast<uint32_t>(end)});
    char* const body = made_.text.data() + *function.body;
    std::fill(body, made_.text.data() + end, ' ');
    std::fill_n(body, 3, '.');
  }

  std::string_view bytes_;
  Lines lines_;
  Shortened made_;
  std::optional<Open> open_;
  std::optional<size_t> level_;  ///< indent of the class body
};

}  // namespace

Shortened without_bodies(std::string_view definition) { return Shortener(definition).run(); }

}  // namespace vramlint::syntax
