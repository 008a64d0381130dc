// SPDX-License-Identifier: MIT
#include "frontends/notebook_magics.h"

#include <algorithm>
#include <array>
#include <span>

namespace vramlint::frontends {

namespace {

using text::Span;
using Names = std::span<const std::string_view>;

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
/// Programs that leave the GPU alone and start none that would not.
constexpr std::array<std::string_view, 57> harmless_programs = {
    "apt",      "apt-get", "aws",    "awk",  "cat",        "cd",       "chmod",
    "conda",    "cp",      "curl",   "date", "df",         "dpkg",     "du",
    "echo",     "export",  "find",   "free", "gcloud",     "gdown",    "git",
    "grep",     "gsutil",  "gunzip", "head", "hf",         "hostname", "huggingface-cli",
    "kaggle",   "kill",    "ln",     "ls",   "lscpu",      "lspci",    "mamba",
    "mkdir",    "mv",      "nproc",  "nvcc", "nvidia-smi", "pip",      "pip3",
    "printenv", "ps",      "pwd",    "rm",   "sed",        "set",      "sleep",
    "tail",     "tar",     "touch",  "tree", "unzip",      "wc",       "wget",
    "which"};

bool is_one_of(Names names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_blank(char byte) { return byte == ' ' || byte == '\t' || byte == '\f'; }
bool ends_line(char byte) { return byte == '\n' || byte == '\r'; }
bool is_word_byte(char byte) {
  return byte == '_' || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z');
}

std::size_t after_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find_first_of("\r\n", at), text.size());
}

std::size_t after_line_end(std::string_view text, std::size_t at) {
  if (at >= text.size()) return at;
  return at + (text.substr(at).starts_with("\r\n") ? 2 : 1);
}

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word_byte(text[end])) ++end;
  return text.substr(at, end - at);
}

Span span_of(std::size_t begin, std::size_t end) {
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

std::string_view part(std::string_view text, Span span) {
  return text.substr(span.begin, span.size());
}

/// Without the blanks at its ends.
Span trimmed(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin < end && (is_blank(text[begin]) || ends_line(text[begin]))) ++begin;
  while (end > begin && (is_blank(text[end - 1]) || ends_line(text[end - 1]))) --end;
  return span_of(begin, end);
}

/// A magic goes on behind a backslash at the end of its line.
std::size_t magic_end(std::string_view text, std::size_t begin) {
  std::size_t end = line_end(text, begin);
  while (end < text.size() && end > begin && text[end - 1] == '\\') {
    end = line_end(text, after_line_end(text, end));
  }
  return end;
}

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
    if (!pass_cell_magics()) return blank(program_, begin_, end_);
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
    const bool is_whole = pass_python() && at_ <= after_line_end(cell(), end);
    if (!is_whole) {
      // A magic takes one line, whatever brackets it opens.
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
    const char quote = byte();
    const std::string triple(3, quote);
    const bool is_long = cell().substr(at_).starts_with(triple);
    at_ += is_long ? 3 : 1;
    while (at_ < end_) {
      if (byte() == '\\') {
        at_ = std::min(at_ + 2, end_);
      } else if (is_long && cell().substr(at_).starts_with(triple)) {
        at_ += 3;
        return true;
      } else if (!is_long && byte() == quote) {
        ++at_;
        return true;
      } else if (!is_long && ends_line(byte())) {
        return true;  // never closed: ends with its line
      } else {
        ++at_;
      }
    }
    return !is_long;
  }

  std::string& program_;
  std::size_t begin_;
  std::size_t end_;
  std::size_t at_;
};

/// `NAME=VALUE` or `NAME VALUE`, as `%env` takes them apart.
void read_variable(std::string_view text, std::size_t begin, std::size_t end, Magic& magic) {
  const std::string_view all = text.substr(begin, end - begin);
  const bool has_equals = all.find('=') != std::string_view::npos;
  const std::size_t split = has_equals ? all.find('=') : all.find(' ');
  if (split == std::string_view::npos) return;
  magic.name = trimmed(text, begin, begin + split);
  magic.value = trimmed(text, begin + split + 1, end);
  const std::string_view name = part(text, magic.name);
  if (name.empty() || name.find_first_of(" \t") != std::string_view::npos) return;
  magic.kind = Magic::Kind::set_variable;
}

}  // namespace

void blank_out_magics(text::Cells& cells) {
  std::string program = cells.text;
  for (const text::Cell& cell : cells.all) CellProgram(program, cell.span).run();
  if (program != cells.text) cells.program = std::move(program);
}

Magic magic_at(std::string_view text, std::size_t begin) {
  Magic magic;
  const std::size_t end = magic_end(text, begin);
  magic.span = trimmed(text, begin, end);
  if (begin >= end) return magic;
  const auto takes = [&](Magic::Kind kind, std::size_t from) {
    magic.kind = kind;
    magic.value = trimmed(text, from, end);
  };
  if (text[begin] == '!') {
    takes(Magic::Kind::command, begin + (text.substr(begin).starts_with("!!") ? 2 : 1));
  } else if (text[begin] == '%') {
    const std::string_view name = word_at(text, begin + 1);
    const std::size_t rest = trimmed(text, begin + 1 + name.size(), end).begin;
    if (name == "env" || name == "set_env") {
      read_variable(text, rest, magic.span.end, magic);
    } else if (name == "sx" || name == "system") {
      takes(Magic::Kind::command, rest);
    } else if (name == "run") {
      takes(Magic::Kind::run_script, rest);
    }
  }
  // A value over several lines is joined with blanks.
  magic.expands = part(text, magic.value).find_first_of("${\n") != std::string_view::npos;
  return magic;
}

std::optional<MeantValue> meant_by(std::string_view text, const Magic& magic) {
  const Span value = magic.value;
  std::size_t end = value.end;
  std::optional<KeptByEnv> kept;
  for (std::size_t at = value.begin + 1; at < value.end; ++at) {
    if (text[at] != '#' || !is_blank(text[at - 1])) continue;
    end = trimmed(text, value.begin, at).end;
    kept = KeptByEnv::comment;
    break;
  }
  if (end - value.begin >= 2) {
    const char quote = text[value.begin];
    const bool is_quoted = (quote == '"' || quote == '\'') && text[end - 1] == quote;
    if (is_quoted) return MeantValue{KeptByEnv::quotes, span_of(value.begin + 1, end - 1)};
  }
  if (!kept) return std::nullopt;
  return MeantValue{*kept, span_of(value.begin, end)};
}

bool may_run_program(std::string_view command) {
  // One step after the other: `cd repository && pip install -e .`.
  while (!command.empty()) {
    const std::size_t end = std::min(command.find_first_of(";&|\n"), command.size());
    const Span step = trimmed(command, 0, end);
    const std::string_view words = part(command, step);
    const std::string_view name = words.substr(0, words.find_first_of(" \t"));
    // `python -m pip install`, `uv pip install`.
    const bool installs = words.find(" pip install") != std::string_view::npos;
    if (!name.empty() && !installs && !is_one_of(harmless_programs, name)) return true;
    command.remove_prefix(std::min(end + 1, command.size()));
  }
  return false;
}

}  // namespace vramlint::frontends
