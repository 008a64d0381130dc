// SPDX-License-Identifier: MIT
//
// What of a notebook is Python: cell by cell and line by line, as IPython decides it.
#include <array>
#include <utility>

#include "frontends/line_text.h"
#include "frontends/notebook_magics.h"
#include "syntax/lines.h"

namespace vramlint::frontends {

namespace {

using text::Span;

/// Cell magics whose cell is Python that the kernel runs. The cell of any other is for somebody
/// else: a shell, a file, another process.
constexpr std::array<std::string_view, 11> runs_cell = {"capture", "time",  "timeit",  "prun",
                                                        "debug",   "memit", "ipytest", "snakeviz",
                                                        "scalene", "wandb", "notify"};
/// Line magics that run the statement behind them, after options.
constexpr std::array<std::string_view, 4> runs_statement = {"time", "timeit", "prun", "memit"};
/// In Databricks, a first line of this kind says in which language the cell is.
constexpr std::array<std::string_view, 7> names_language = {"md", "sql", "sh", "scala",
                                                            "r",  "R",   "fs"};

void blank(std::string& program, std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at < end; ++at) {
    if (!ends_line(program[at])) program[at] = ' ';
  }
}

/// One cell on its way to Python.
class CellProgram {
 public:
  CellProgram(std::string& program, Span cell)
      : program_(program), begin_(cell.begin), end_(cell.end), at_(cell.begin) {}

  void run() {
    if (!pass_cell_magics()) {
      blank(program_, begin_, end_);
      if (runs_elsewhere_) program_[at_] = '0';
      return;
    }
    bool is_whole = true;
    while (is_whole && at_ < end_) is_whole = pass_logical_line();
    // Python compiles the whole cell before anything in it runs.
    if (!is_whole) blank(program_, begin_, end_);
  }

 private:
  std::string_view cell() const { return std::string_view(program_).substr(0, end_); }
  char byte() const { return program_[at_]; }

  /// False when the cell is no Python.
  bool pass_cell_magics() {
    while (at_ < end_ && (is_blank(byte()) || ends_line(byte()))) ++at_;
    while (cell().substr(at_).starts_with("%%")) {
      const std::string_view name = word_at(cell(), at_ + 2);
      runs_elsewhere_ = starts_process(name);
      if (!is_one_of(runs_cell, name)) return false;
      const std::size_t end = line_end(cell(), at_);
      blank(program_, at_, end);
      at_ = after_line_end(cell(), end);
    }
    if (at_ < end_ && byte() == '%') {
      const std::string_view name = word_at(cell(), at_ + 1);
      const std::size_t behind = at_ + 1 + name.size();
      const bool is_alone = after_blanks(cell(), behind) == line_end(cell(), behind);
      const bool goes_on = line_end(cell(), behind) < end_;
      const bool takes_line = name == "sql" || name == "md";
      if (is_one_of(names_language, name) && (takes_line || (is_alone && goes_on))) return false;
    }
    return true;
  }

  /// False when it has no end in the cell.
  bool pass_logical_line() {
    at_ = after_blanks(cell(), at_);
    if (cell().substr(at_).starts_with("%%")) {
      // Not in the first line: an error, and nothing behind it runs.
      blank(program_, at_, end_);
      at_ = end_;
      return true;
    }
    if (at_ < end_ && std::string_view("%!?/,;").find(byte()) != std::string_view::npos) {
      pass_magic();
      return true;
    }
    return pass_python();
  }

  void pass_magic() {
    if (byte() == '%' && pass_to_statement()) return;
    const std::size_t end = magic_end(cell(), at_);
    blank(program_, at_, end);
    program_[at_] = '0';
    at_ = end;
    if (at_ < end_) at_ = after_line_end(cell(), at_);
  }

  /// `%time x = f()`: what stands behind it is Python. `if 1:` takes the place of the magic.
  bool pass_to_statement() {
    const std::size_t magic = at_;
    const std::string_view name = word_at(cell(), at_ + 1);
    if (!is_one_of(runs_statement, name)) return false;
    const std::size_t end = line_end(cell(), at_);
    std::size_t begin = after_blanks(cell(), at_ + 1 + name.size());
    while (begin < end && program_[begin] == '-') begin = after_option(begin, end);
    static constexpr std::string_view head = "if ";
    static constexpr std::string_view tail = "1: ";
    const std::string_view rest = cell().substr(begin, end - begin);
    const bool is_statement = !rest.empty() && (is_word_byte(rest[0]) || rest[0] == '(');
    if (!is_statement || begin - at_ < head.size() + tail.size()) return false;
    if (rest.ends_with('\\') || is_compound(rest)) return false;
    blank(program_, at_, begin);
    program_.replace(at_, head.size(), head);
    program_.replace(begin - tail.size(), tail.size(), tail);
    at_ = begin;
    // A magic takes one line, whatever brackets it opens.
    const std::size_t cell_end = std::exchange(end_, after_line_end(cell(), end));
    const bool is_whole = pass_python();
    end_ = cell_end;
    if (!is_whole) {
      blank(program_, magic, end);
      program_[magic] = '0';
      at_ = after_line_end(cell(), end);
    }
    return true;
  }

  static bool is_compound(std::string_view rest) {
    static constexpr std::array<std::string_view, 9> words = {
        "for", "while", "if", "with", "try", "def", "class", "async", "match"};
    return is_one_of(words, word_at(rest, 0));
  }

  /// `-n 10`, `-n10`, `-o`.
  std::size_t after_option(std::size_t at, std::size_t end) const {
    std::size_t next = at;
    while (next < end && !is_blank(program_[next])) ++next;
    const std::string_view option = cell().substr(at, next - at);
    next = after_blanks(cell(), next);
    const bool takes_number = option == "-n" || option == "-r" || option == "-t" || option == "-i";
    if (!takes_number) return next;
    std::size_t behind = next;
    while (behind < end && program_[behind] >= '0' && program_[behind] <= '9') ++behind;
    return after_blanks(cell(), behind);
  }

  bool pass_python() {
    const std::size_t begin = at_;
    int depth = 0;
    while (at_ < end_) {
      switch (byte()) {
        case '\n':
        case '\r':
          at_ = after_line_end(cell(), at_);
          if (depth == 0) return true;
          break;
        case '#': at_ = line_end(cell(), at_); break;
        case '\\':
          if (at_ + 1 >= end_) return false;
          at_ = ends_line(program_[at_ + 1]) ? after_line_end(cell(), at_ + 1) : at_ + 2;
          if (at_ >= end_) return false;
          break;
        case '"':
        case '\'':
          if (!pass_text()) return false;
          break;
        case '(':
        case '[':
        case '{':
          ++depth;
          ++at_;
          break;
        case ')':
        case ']':
        case '}':
          if (depth > 0) --depth;
          ++at_;
          break;
        case '=':
          ++at_;
          if (depth == 0) pass_assigned_magic();
          break;
        case '?':
          if (asks_for_help(begin, depth)) return true;
          break;
        default: ++at_;
      }
    }
    return depth == 0;
  }

  /// `files = !ls`, `devices = %env CUDA_VISIBLE_DEVICES`.
  void pass_assigned_magic() {
    const std::size_t value = after_blanks(cell(), at_);
    if (value >= end_ || (program_[value] != '!' && program_[value] != '%')) return;
    if (program_[value] == '!' && value + 1 < end_ && program_[value + 1] == '=') return;
    const std::size_t end = magic_end(cell(), value);
    blank(program_, value, end);
    program_[value] = '0';
    at_ = end;
  }

  /// `torch.rand?`: the line goes.
  bool asks_for_help(std::size_t begin, int depth) {
    while (at_ < end_ && byte() == '?') ++at_;
    const std::size_t behind = after_blanks(cell(), at_);
    if (depth > 0 || (behind < end_ && !ends_line(program_[behind]))) return false;
    blank(program_, begin, behind);
    program_[begin] = '0';
    at_ = after_line_end(cell(), behind);
    return true;
  }

  /// False for a text over several lines without an end.
  bool pass_text() {
    const bool is_long = syntax::is_triple_quote(cell(), at_);
    const syntax::TextEnd end = syntax::end_of_text(cell(), at_);
    at_ = end.at;
    return end.closed || !is_long;
  }

  std::string& program_;
  std::size_t begin_;
  std::size_t end_;
  std::size_t at_;
  bool runs_elsewhere_ = false;
};

}  // namespace

void blank_out_magics(text::Cells& cells) {
  std::string program = cells.text;
  for (const text::Cell& cell : cells.all) CellProgram(program, cell.span).run();
  if (program != cells.text) cells.program = std::move(program);
}

}  // namespace vramlint::frontends
