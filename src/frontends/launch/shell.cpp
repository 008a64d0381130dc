// SPDX-License-Identifier: MIT
//
// The structure of shell text: commands, the constructs around them, and what stands in heredocs.
// One pass with a stack of open constructs, since no tree is needed: a step only has to know
// whether it is reached for certain. What a command does with the environment is in `commands.cpp`.
#include "frontends/launch/shell.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "frontends/launch/commands.h"
#include "frontends/launch/heredoc.h"
#include "frontends/launch/shell_words.h"

namespace vramlint::frontends {
namespace {

using model::LaunchSetting;
using model::LaunchStep;
using model::LaunchStepKind;
using model::LaunchWord;

/// Constructs inside one another; what is deeper was generated, or is an attack.
constexpr size_t most_open = 200;

class ShellReader {
 public:
  ShellReader(const MappedText& text, const ShellContext& context, std::vector<LaunchStep>& into)
      : text_(text), words_(text), context_(context), into_(into) {}

  void run() {
    while (!words_.ended()) {
      const size_t before = words_.at();
      step();
      if (words_.at() == before) words_.move_to(before + 1);
    }
    while (!open_.empty()) close();
  }

 private:
  enum class Kind : uint8_t { condition, loop, cases, group, subshell, function };
  struct Open {
    Kind kind;
    bool expects_pattern = false;
    size_t first_step = 0;
  };

  void step() {
    words_.skip_blanks();
    if (words_.ended()) return;
    switch (words_.peek()) {
      case '#': return take_comment();
      case '\r':
      case '\n':
        words_.move_to(words_.at() + 1);
        chained_ = false;
        may_be_cut_ = false;
        return read_heredocs();
      case ';':
      case '&':
      case '|': return take_operator();
      case '(': return open_bracket();
      case ')':
        words_.move_to(words_.at() + 1);
        if (expects_pattern()) {
          open_.back().expects_pattern = false;
        } else if (top_is(Kind::subshell)) {
          close();
        }
        return;
      default: break;
    }
    if (expects_pattern()) return skip_pattern();
    read_one();
  }

  /// `#SBATCH` is for the one who submits the script.
  void take_comment() {
    constexpr std::string_view mark = "#SBATCH";
    const size_t begin = words_.at();
    words_.skip_line();
    const size_t end = words_.at();
    const std::string_view line = text_.text().substr(begin, end - begin);
    if (!line.starts_with(mark) || line.find("--export") == line.npos) return;
    const bool withholds = line.find("--export=NONE") != line.npos;
    srun_withholds_ |= withholds && text_.text().find("SLURM_EXPORT_ENV") == line.npos;
    std::vector<LaunchWord> words;
    for (words_.move_to(begin + 1); words_.at() < end; words_.skip_blanks()) {
      const size_t before = words_.at();
      if (words_.peek() == '#') break;
      words.push_back(words_.read());
      if (words_.at() == before) break;
    }
    words_.move_to(end);
    read_directive(std::move(words), into_);
  }

  void take_operator() {
    if (words_.sees("&&") || words_.sees("||")) {
      words_.move_to(words_.at() + 2);
      chained_ = true;
      return;
    }
    if (words_.sees(";;")) {
      words_.move_to(words_.at() + 2);
      for (size_t i = open_.size(); i-- > 0;) {
        if (open_[i].kind != Kind::cases) continue;
        open_[i].expects_pattern = true;
        break;
      }
      return;
    }
    if (words_.peek() != '|') chained_ = false;
    words_.move_to(words_.at() + 1);
  }

  void open_bracket() {
    if (expects_pattern()) return words_.move_to(words_.at() + 1);
    if (words_.sees("((")) return words_.skip_balanced('(', ')');
    words_.move_to(words_.at() + 1);
    open(Kind::subshell);
  }

  bool top_is(Kind kind) const { return !open_.empty() && open_.back().kind == kind; }
  bool expects_pattern() const { return top_is(Kind::cases) && open_.back().expects_pattern; }

  void open(Kind kind) {
    if (open_.size() >= most_open) return;
    open_.push_back({kind, kind == Kind::cases, into_.size()});
    if (kind == Kind::subshell) add_bare(LaunchStepKind::enter);
  }

  void close() {
    if (open_.empty()) return;
    if (open_.back().kind == Kind::subshell) {
      note_lost_with_shell(into_, open_.back().first_step, model::Misstep::subshell);
      add_bare(LaunchStepKind::leave);
    }
    open_.pop_back();
  }

  void close_to(std::initializer_list<Kind> kinds) {
    const auto fits = [&](const Open& each) {
      return std::find(kinds.begin(), kinds.end(), each.kind) != kinds.end();
    };
    if (std::none_of(open_.begin(), open_.end(), fits)) return;
    while (!fits(open_.back())) close();
    close();
  }

  void add_bare(LaunchStepKind kind) {
    LaunchStep step;
    step.kind = kind;
    into_.push_back(std::move(step));
  }

  bool is_conditional() const {
    return context_.conditional || chained_ || std::ranges::any_of(open_, [](const Open& each) {
             return each.kind == Kind::condition || each.kind == Kind::loop ||
                    each.kind == Kind::cases;
           });
  }
  bool in_function() const {
    return context_.in_function ||
           std::ranges::any_of(open_, [](const Open& e) { return e.kind == Kind::function; });
  }

  /// `pattern | pattern )`, or `esac`.
  void skip_pattern() {
    const LaunchWord word = words_.read();
    const std::string* plain = word.plain();
    if (plain != nullptr && *plain == "esac") return close_to({Kind::cases});
    if (words_.peek() == '|') words_.move_to(words_.at() + 1);
  }

  /// A reserved word at the beginning of a command; whether it was one.
  bool take_reserved(const std::string& word) {
    if (word == "if") {
      context_.c_shell ? open_csh_condition() : open(Kind::condition);
    } else if (word == "while" || word == "until") {
      open(Kind::loop);
    } else if (word == "for" || word == "select") {
      skip_to_body();
      open(Kind::loop);
    } else if (word == "case") {
      skip_words_to("in");
      open(Kind::cases);
    } else if (word == "fi") {
      close_to({Kind::condition});
    } else if (word == "done") {
      close_to({Kind::loop});
    } else if (word == "esac") {
      close_to({Kind::cases});
    } else if (word == "{") {
      open(function_follows_ ? Kind::function : Kind::group);
      function_follows_ = false;
    } else if (word == "}") {
      close_to({Kind::group, Kind::function});
    } else if (word == "function") {
      words_.skip_blanks();
      words_.read();
      function_follows_ = true;
      skip_parentheses();
    } else if (word == "[[") {
      skip_words_to("]]");
    } else if (context_.c_shell && take_csh_word(word)) {
      return true;
    } else {
      constexpr std::array<std::string_view, 7> others = {"then", "else", "elif",  "do",
                                                          "!",    "time", "coproc"};
      return std::ranges::find(others, word) != others.end();
    }
    return true;
  }

  /// Words that only csh has.
  bool take_csh_word(const std::string& word) {
    if (word == "foreach" || word == "switch") {
      skip_to_body();
      open(word == "switch" ? Kind::condition : Kind::loop);
    } else if (word == "endif" || word == "endsw") {
      close_to({Kind::condition});
    } else if (word == "end") {
      close_to({Kind::loop});
    } else {
      return false;
    }
    return true;
  }

  /// `if (…) then` with lines below, or `if (…) command`.
  void open_csh_condition() {
    words_.skip_blanks();
    if (words_.peek() == '(') words_.skip_balanced('(', ')');
    words_.skip_blanks();
    if (words_.sees("then")) return open(Kind::condition);
    chained_ = true;
  }

  /// `x in a b c`, up to the end of the line or `;`.
  void skip_to_body() {
    words_.skip_blanks();
    if (words_.sees("((")) return words_.skip_balanced('(', ')');
    while (!words_.ended() && words_.peek() != '\n' && words_.peek() != ';') {
      const size_t before = words_.at();
      words_.read();
      words_.skip_blanks();
      if (words_.at() == before) words_.move_to(before + 1);
    }
  }

  void skip_words_to(std::string_view last) {
    while (!words_.ended()) {
      const size_t before = words_.at();
      words_.skip_blanks();
      const LaunchWord word = words_.read();
      const std::string* plain = word.plain();
      if (plain != nullptr && *plain == last) return;
      if (words_.at() == before) words_.move_to(before + 1);
    }
  }

  bool skip_parentheses() {
    const size_t before = words_.at();
    words_.skip_blanks();
    if (words_.peek() != '(') return words_.move_to(before), false;
    words_.move_to(words_.at() + 1);
    words_.skip_blanks();
    if (words_.peek() == ')') {
      words_.move_to(words_.at() + 1);
      return true;
    }
    words_.move_to(before);
    return false;
  }

  /// One command with its words, or one reserved word.
  void read_one() {
    const size_t begin = words_.at();
    size_t end = begin;
    std::vector<LaunchWord> words;
    is_for_later_ = is_for_startup_ = false;
    heredocs_before_ = heredocs_.size();
    while (!words_.ended()) {
      words_.skip_blanks();
      const char next = words_.peek();
      if (next == '#' && !words.empty()) break;
      if (next == '<' || next == '>') {
        take_redirection();
        continue;
      }
      if (next == '&' && words_.peek(1) == '>') {
        words_.move_to(words_.at() + 1);
        continue;
      }
      const bool is_list = context_.c_shell && next == '(' && !words.empty();
      if (is_list) {
        words_.skip_balanced('(', ')');
        continue;
      }
      const size_t before = words_.at();
      LaunchWord word = words_.read();
      if (words_.at() == before) break;
      const std::string* plain = word.plain();
      const bool is_bare = plain != nullptr && !word.quoted;
      if (words.empty() && is_bare && take_reserved(*plain)) return;
      if (words.empty() && is_bare && skip_parentheses()) {
        function_follows_ = true;
        return;
      }
      // `2>file`, `NAME=(a b)`
      const bool is_descriptor = is_bare && (words_.peek() == '>' || words_.peek() == '<') &&
                                 plain->find_first_not_of("0123456789") == std::string::npos;
      if (is_descriptor) continue;
      if (words_.peek() == '(' && word.beginning().ends_with('=')) {
        words_.skip_balanced('(', ')');
        continue;
      }
      end = words_.at();
      words.push_back(std::move(word));
    }
    take_command(std::move(words), text_.span(begin, end));
  }

  void take_redirection() {
    if (words_.sees("<<<")) {
      words_.move_to(words_.at() + 3);
    } else if (words_.sees("<<")) {
      words_.move_to(words_.at() + 2);
      Heredoc heredoc;
      if (words_.peek() == '-') {
        heredoc.strips_tabs = true;
        words_.move_to(words_.at() + 1);
      }
      words_.skip_blanks();
      const size_t begin = words_.at();
      const LaunchWord word = words_.read();
      const std::string_view written = text_.text().substr(begin, words_.at() - begin);
      heredoc.is_literal = written.find_first_of("'\"\\") != std::string_view::npos;
      heredoc.end = word.plain() != nullptr ? *word.plain() : std::string();
      heredocs_.push_back(std::move(heredoc));
      return;
    } else {
      while (words_.peek() == '<' || words_.peek() == '>' || words_.peek() == '&' ||
             words_.peek() == '|') {
        words_.move_to(words_.at() + 1);
      }
      if (words_.peek() == '(') return words_.skip_balanced('(', ')');
    }
    words_.skip_blanks();
    const size_t begin = words_.at();
    is_for_later_ |= names_workflow_file(words_.read());
    is_for_startup_ |= names_startup_file(text_.text().substr(begin, words_.at() - begin));
  }

  /// `$GITHUB_ENV`: a workflow sets what is written there for the steps to come.
  static bool names_workflow_file(const LaunchWord& word) {
    return word.parts.size() == 1 && word.parts[0].kind == model::LaunchPart::Kind::variable &&
           word.parts[0].text == "GITHUB_ENV";
  }

  /// What stands below the line that opened it, up to a line with the word.
  void read_heredocs() {
    for (const Heredoc& heredoc : std::exchange(heredocs_, {})) {
      if (heredoc.end.empty()) continue;
      const size_t begin = words_.at();
      size_t end = begin;
      while (!words_.ended()) {
        end = words_.at();
        words_.skip_line();
        std::string_view line = text_.text().substr(end, words_.at() - end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        words_.move_to(std::min(words_.at() + 1, text_.text().size()));
        if (heredoc.strips_tabs)
          line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
        if (line == heredoc.end) break;
        end = words_.at();
      }
      if (heredoc.is_shell) read_inside(begin, end, heredoc.keeper);
      if (heredoc.is_for_later) read_lines(begin, end);
      if (heredoc.reader) add_program(text_, heredoc, begin, end, into_[*heredoc.reader]);
    }
  }

  /// Lines of `NAME=value`.
  void read_lines(size_t begin, size_t end) {
    while (begin < end) {
      const size_t line_end = std::min(text_.text().find('\n', begin), end);
      const std::string_view line = text_.text().substr(begin, line_end - begin);
      const LaunchWord value = word_with_variables(MappedText(line, text_.origin(begin)));
      add_echoed({plain_word("echo", 0), value}, value.span, here(0), into_);
      begin = line_end + 1;
    }
  }

  void read_inside(size_t begin, size_t end, std::optional<size_t> keeper) {
    if (context_.depth > 3) return;
    MappedText body;
    for (size_t at = begin; at < end;) {
      const size_t line = std::min(text_.text().find('\n', at) + 1, end);
      const size_t next = line <= at ? end : line;
      body.append(text_.text().substr(at, next - at), text_.origin(at));
      at = next;
    }
    LaunchStep bare;
    bare.kind = LaunchStepKind::enter;
    into_.push_back(keeper ? entered_by(into_[*keeper]) : std::move(bare));
    read_shell(body, here(1), into_);
    add_bare(LaunchStepKind::leave);
  }

  ShellContext here(int deeper) const {
    ShellContext made = context_;
    made.conditional = is_conditional();
    made.in_function = in_function();
    made.depth += deeper;
    made.c_shell = made.c_shell && deeper == 0;
    return made;
  }

  void take_command(std::vector<LaunchWord> words, text::Span span) {
    if (words.empty()) return;
    const std::string* name = words[0].plain();
    const bool reads = heredocs_.size() > heredocs_before_;
    if (reads && name != nullptr) {
      heredocs_.back().is_shell = is_shell_program(*name);
      heredocs_.back().is_for_later = is_for_later_ && *name == "cat";
    }
    if (is_for_later_) add_echoed(words, span, here(0), into_);
    if (is_for_startup_ && context_.makes_image && context_.depth < 1)
      add_startup(words, span, here(1), into_);
    const bool copies = name != nullptr && *name == "tee" && !into_.empty() &&
                        std::ranges::any_of(words, names_workflow_file);
    if (copies) add_echoed(into_.back().words, into_.back().span, here(0), into_);
    const size_t first = into_.size();
    read_words(std::move(words), span, here(0), into_);
    if (reads && into_.size() == first + 1 && into_[first].kind == LaunchStepKind::start)
      heredocs_.back().reader = first;
    const auto keeper = std::find_if(into_.begin() + static_cast<std::ptrdiff_t>(first),
                                     into_.end(), model::withholds_environment);
    if (reads && keeper != into_.end())
      heredocs_.back().keeper = static_cast<size_t>(keeper - into_.begin());
    if (words_.peek() == '|' && words_.peek(1) != '|') note_piped(into_, first);
    if (srun_withholds_) withhold_from_srun(into_, first);
    note_cut(first);
  }

  /// `export NAME=a:1;b:2`: the value ends at the `;`, and the rest is a command that nobody has.
  void note_cut(size_t first) {
    if (may_be_cut_ && first < into_.size() && into_[first].kind == LaunchStepKind::start &&
        into_[first].words.size() == 1) {
      const std::string* rest = into_[first].words[0].plain();
      const bool goes_on =
          rest != nullptr && (is_option_text(*rest) || is_cut_list(into_[cut_index_].value, *rest));
      if (goes_on) {
        LaunchStep step = into_[cut_index_];
        step.kind = LaunchStepKind::misstep;
        step.misstep = model::Misstep::cut_value;
        step.span = {step.span.begin, into_[first].span.end};
        into_[first] = std::move(step);
      }
    }
    may_be_cut_ = words_.peek() == ';' && into_.size() == first + 1 &&
                  into_[first].kind == LaunchStepKind::set;
    cut_index_ = first;
  }

  const MappedText& text_;
  ShellWords words_;
  const ShellContext context_;
  std::vector<LaunchStep>& into_;
  std::vector<Open> open_;
  std::vector<Heredoc> heredocs_;
  size_t heredocs_before_ = 0;   ///< those of commands further left on the line
  bool is_for_later_ = false;    ///< the output of the command goes to a workflow
  bool is_for_startup_ = false;  ///< … to a file that a shell reads when it starts
  bool chained_ = false;         ///< behind `&&` or `||`
  bool function_follows_ = false;
  bool srun_withholds_ = false;
  bool may_be_cut_ = false;  ///< the step before ended at a `;`
  size_t cut_index_ = 0;
};

}  // namespace

void read_shell(const MappedText& text, const ShellContext& context,
                std::vector<LaunchStep>& into) {
  ShellReader(text, context, into).run();
}

}  // namespace vramlint::frontends
