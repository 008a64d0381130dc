// SPDX-License-Identifier: MIT
#include "diagnostics/comments.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "diagnostics/launch_comments.h"
#include "frontends/notebook_magics.h"

namespace vramlint::diagnostics {

namespace {

/// Walks Python's bytes knowing strings and comments, nothing else. The prefix of a string does not
/// matter: a backslash keeps the next quote from ending a raw string as well. Quotes nested inside
/// an f-string's braces come in pairs, so taking each pair for a string of its own ends at the same
/// place.
class Scanner {
 public:
  explicit Scanner(std::string_view bytes) : bytes_(bytes) {}

  CommentScan run() {
    while (at_ < bytes_.size()) {
      const char byte = bytes_[at_];
      if (byte == '#') {
        take_comment();
      } else if (byte == '"' || byte == '\'') {
        skip_string(byte);
      } else if (byte == '\\') {
        step_over_backslash();
      } else {
        step(byte);
      }
    }
    return std::move(found_);
  }

 private:
  void step(char byte) {
    ++at_;
    if (is_line_end(byte)) {
      start_line();
    } else if (byte != ' ' && byte != '\t' && byte != '\f') {
      blank_so_far_ = false;
    }
  }

  /// A lone `\r` ends a line for Python too; of `\r\n` only the `\n` counts here.
  bool is_line_end(char byte) const {
    return byte == '\n' || (byte == '\r' && (at_ >= bytes_.size() || bytes_[at_] != '\n'));
  }

  void start_line() {
    ++line_;
    blank_so_far_ = true;
  }

  /// The next line begins inside what this one leaves open.
  void join_line() {
    const bool goes_on = !found_.joined.empty() && found_.joined.back().last == line_;
    if (!goes_on) found_.joined.push_back({line_, line_});
    found_.joined.back().last = ++line_;
  }

  void step_over_backslash() {
    blank_so_far_ = false;
    ++at_;
    if (at_ >= bytes_.size()) return;
    if (bytes_.substr(at_, 2) == "\r\n") ++at_;
    const char byte = bytes_[at_];
    if (byte == '\n' || byte == '\r') {
      ++at_;
      join_line();
    }
  }

  void take_comment() {
    std::size_t end = bytes_.find_first_of("\r\n", at_);
    if (end == std::string_view::npos) end = bytes_.size();
    const text::Span span{static_cast<uint32_t>(at_), static_cast<uint32_t>(end)};
    found_.comments.push_back({span, line_, blank_so_far_});
    at_ = end;
  }

  void skip_string(char quote) {
    blank_so_far_ = false;
    const bool triple = bytes_.substr(at_, 3) == std::string(3, quote);
    at_ += triple ? 3 : 1;
    while (at_ < bytes_.size()) {
      const char byte = bytes_[at_];
      if (byte == '\\' && at_ + 1 < bytes_.size()) {
        ++at_;
        if (bytes_.substr(at_, 2) == "\r\n") ++at_;
        step_in_string(bytes_[at_]);
      } else if (byte == quote && (!triple || bytes_.substr(at_, 3) == std::string(3, quote))) {
        at_ += triple ? 3 : 1;
        return;
      } else if (!triple && (byte == '\n' || byte == '\r')) {
        return;  // never closed: broken code, the next line starts afresh
      } else {
        step_in_string(byte);
      }
    }
  }

  void step_in_string(char byte) {
    ++at_;
    if (is_line_end(byte)) join_line();
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  uint32_t line_ = 1;
  bool blank_so_far_ = true;
  CommentScan found_;
};

/// The comments of a cell under `%%bash`, which are none of Python's.
void add_shell_cell(const text::Source& notebook, text::Span cell, CommentScan& scan) {
  const text::Source shell("", std::string(notebook.slice(cell)), text::Language::shell);
  const uint32_t above = notebook.position_of(cell.begin).line - 1;
  scan.shells.push_back({above + 1, above + shell.line_count()});
  const CommentScan found = scan_launch_comments(shell);
  for (Comment comment : found.comments) {
    comment.span = {comment.span.begin + cell.begin, comment.span.end + cell.begin};
    comment.line += above;
    scan.comments.push_back(comment);
  }
  for (const JoinedLines& lines : found.joined)
    scan.joined.push_back({lines.first + above, lines.last + above});
}

void add_shell_cells(const text::Source& notebook, CommentScan& scan) {
  for (const text::Cell& cell : notebook.cells_or_null()->all) {
    const std::string_view program = notebook.program_slice(cell.span);
    const std::size_t begin = std::min(program.find_first_not_of(" \t\r\n"), program.size());
    if (frontends::is_for_shell(notebook.slice(cell.span).substr(begin)))
      add_shell_cell(notebook, cell.span, scan);
  }
  std::ranges::sort(scan.comments, {}, [](const Comment& comment) { return comment.span.begin; });
  std::ranges::sort(scan.joined, {}, &JoinedLines::first);
}

}  // namespace

CommentScan scan_comments(const text::Source& source) {
  if (source.language() == text::Language::deepspeed) return {};  // JSON has none
  if (text::launches(source.language())) return scan_launch_comments(source);
  CommentScan scan = Scanner(source.program()).run();
  if (source.cells_or_null() != nullptr) add_shell_cells(source, scan);
  return scan;
}

std::vector<Comment> comments_of(const text::Source& source) {
  return scan_comments(source).comments;
}

}  // namespace vramlint::diagnostics
