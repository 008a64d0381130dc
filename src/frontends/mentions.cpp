// SPDX-License-Identifier: MIT
//
// Most modules of a project do nothing that a rule could see, and what they do they do when
// somebody calls it by its name. Who mentions which names is read off the bytes in one pass, far
// faster than anything could be parsed.
#include "frontends/mentions.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>

#include "syntax/lines.h"
#include "text/utf8.h"

namespace vramlint::frontends {
namespace {

bool begins_word(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value == '_' || value >= 0x80 || (value >= 'a' && value <= 'z') ||
         (value >= 'A' && value <= 'Z');
}

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
bool is_word_byte(char byte) { return begins_word(byte) || is_digit(byte); }

/// When a stretch of the program runs.
enum class When : uint8_t {
  at_import,
  as_program,  ///< only when the file is what is run
  in_class,    ///< at import, in the body of a class
  when_used,   ///< when somebody calls or reads the definition
};

class Scanner {
 public:
  Scanner(std::string_view bytes, std::span<const uint32_t> words, bool in_texts)
      : bytes_(bytes), words_(words), in_texts_(in_texts) {
    scopes_.push_back({-1, When::at_import, nobody, nobody});
  }

  Mentions run() {
    if (bytes_.starts_with(text::byte_order_mark)) at_ = text::byte_order_mark.size();
    while (at_ < bytes_.size()) {
      if (!begin_line()) continue;
      read_line();
    }
    return std::move(found_);
  }

 private:
  static constexpr uint32_t nobody = 0xffffffff;

  /// The lines that are indented more than `indent`.
  struct Scope {
    int indent;
    When when;
    uint32_t owner;   ///< definition that they belong to
    uint32_t method;  ///< of the class that owns them
  };

  /// Skips blanks and what says nothing; whether a statement begins here.
  bool begin_line() {
    int indent = 0;
    while (at_ < bytes_.size()) {
      const char byte = bytes_[at_];
      if (byte == ' ')
        ++indent;
      else if (byte == '\t')
        indent = (indent / 8 + 1) * 8;
      else if (byte == '\f')
        indent = 0;
      else
        break;
      ++at_;
    }
    if (at_ >= bytes_.size()) return false;
    if (bytes_[at_] == '\n' || bytes_[at_] == '\r') return ++at_, false;
    if (bytes_[at_] == '#') return skip_comment(), false;
    indent_ = indent;
    while (scopes_.size() > 1 && scopes_.back().indent >= indent) scopes_.pop_back();
    return true;
  }

  std::string_view word_here() const {
    size_t end = at_;
    while (end < bytes_.size() && is_word_byte(bytes_[end])) ++end;
    return bytes_.substr(at_, end - at_);
  }

  std::string_view rest_of_line() const {
    return bytes_.substr(at_, std::min(bytes_.find('\n', at_), bytes_.size()) - at_);
  }

  /// `if __name__ == "__main__":`, where nothing else lets the body run.
  bool asks_for_program() const {
    const std::string_view line = rest_of_line();
    if (line.find(" or ") != std::string_view::npos) return false;
    return line.starts_with("if __name__ == \"__main__\"") ||
           line.starts_with("if __name__ == '__main__'");
  }

  void skip_comment() {
    while (at_ < bytes_.size() && bytes_[at_] != '\n' && bytes_[at_] != '\r') ++at_;
  }

  void read_line() {
    Scope scope = scopes_.back();
    if (is_text_statement()) return;
    const std::string_view word = word_here();
    if (word == "import" || word == "from") return read_import(scope);
    if (bytes_[at_] == '@') return read_decorator(scope);
    std::string_view keyword = word;
    const size_t start = at_;
    if (word == "async") {
      at_ += word.size();
      while (at_ < bytes_.size() && (bytes_[at_] == ' ' || bytes_[at_] == '\t')) ++at_;
      keyword = word_here();
    }
    if (keyword == "def" || keyword == "class") return read_definition(scope, keyword == "class");
    at_ = start;
    if (scope.when == When::at_import && word == "if" && asks_for_program()) {
      scope.when = When::as_program;
      scopes_.push_back({indent_, When::as_program, nobody, nobody});
    }
    read_statement(scope);
  }

  /// A text that stands for itself: a description.
  bool is_text_statement() {
    const size_t begin = at_;
    if (std::string_view("rRuUbB").find(bytes_[at_]) != std::string_view::npos) ++at_;
    if (at_ == bytes_.size() || (bytes_[at_] != '"' && bytes_[at_] != '\'')) {
      at_ = begin;
      return false;
    }
    at_ = syntax::end_of_text(bytes_, at_).at;
    const size_t end = std::min(bytes_.find_first_not_of(" \t", at_), bytes_.size());
    const bool alone =
        end == bytes_.size() || bytes_[end] == '\n' || bytes_[end] == '\r' || bytes_[end] == '#';
    if (!alone) at_ = begin;
    return alone;
  }

  // What is read goes to a part of the file.

  Mentions::Definition& part(uint32_t index) { return found_.definitions[index]; }

  uint32_t definition(std::string_view name) {
    const uint32_t number = name_number(name);
    const auto [known, fresh] =
        by_name_.try_emplace(number, static_cast<uint32_t>(found_.definitions.size()));
    if (fresh) {
      found_.definitions.emplace_back().name = number;
      part(known->second).is_asked = name == "__getattr__";
    }
    return known->second;
  }

  void mention(std::vector<uint32_t>& list, uint32_t owner, uint32_t number) {
    Seen& seen = seen_[(number ^ owner * 0x9e3779b9u) % seen_.size()];
    if (seen.number == number && seen.owner == owner) return;
    seen = {number, owner};
    list.push_back(number);
  }

  void mention_used(uint32_t owner, uint32_t number) {
    if (owner != nobody) mention(part(owner).mentioned, owner, number);
  }

  void mention_now(When when, uint32_t number) {
    const bool program = when == When::as_program;
    mention(program ? found_.as_program.mentioned : found_.at_import.mentioned,
            nobody - 1 - (program ? 1 : 0), number);
  }

  /// Whether one of the words that are looked for ends in `[begin, at_]`.
  bool takes_word(size_t begin) {
    while (next_word_ < words_.size() && words_[next_word_] <= begin) ++next_word_;
    bool taken = false;
    while (next_word_ < words_.size() && words_[next_word_] <= at_) ++next_word_, taken = true;
    return taken;
  }

  /// One logical line, taken apart.
  struct Line {
    std::vector<uint32_t> names;
    std::vector<uint32_t> texts;  ///< that are names
    std::string_view first;       ///< name that the line begins with
    int calls = 0;                ///< opening round brackets
    int assignments = 0;          ///< `=` outside brackets
    bool annotated = false;
    bool changes = false;  ///< `+=` and the like, or a target that is no mere name
    bool has_word = false;

    void clear() {
      names.clear();
      texts.clear();
      first = {};
      calls = assignments = 0;
      annotated = changes = has_word = false;
    }
    bool has_target() const { return assignments == 0 && !annotated; }
  };

  /// Reads to the end of the logical line, or to `:` outside brackets if `to_colon`.
  void read_tokens(Line& line, bool to_colon, bool to_semicolon) {
    int depth = 0;
    bool is_first = true;
    while (at_ < bytes_.size()) {
      const char byte = bytes_[at_];
      if (begins_word(byte)) {
        const size_t begin = at_;
        const std::string_view word = word_here();
        at_ += word.size();
        if (is_first) line.first = word;
        is_first = false;
        if (at_ < bytes_.size() && (bytes_[at_] == '"' || bytes_[at_] == '\'') &&
            word.size() <= 2) {
          formatted_ = word.find_first_of("fF") != std::string_view::npos;
        } else {
          line.names.push_back(name_number(word));
        }
        line.has_word |= takes_word(begin);
        continue;
      }
      switch (byte) {
        case '\n':
        case '\r':
          ++at_;
          if (depth == 0) return;
          if (syntax::definition_begins(bytes_, at_)) return;
          continue;
        case '#': skip_comment(); continue;
        case '\\':
          ++at_;
          if (at_ < bytes_.size() && bytes_[at_] == '\r') ++at_;
          if (at_ < bytes_.size() && bytes_[at_] == '\n') ++at_;
          continue;
        case '"':
        case '\'': read_text(line); break;
        case '(':
          ++line.calls;
          ++depth;
          break;
        case '[':
        case '{':
          if (line.has_target()) line.changes = true;
          ++depth;
          break;
        case ')':
        case ']':
        case '}':
          if (depth > 0) --depth;
          break;
        case ':':
          if (depth > 0) break;
          if (to_colon) return void(++at_);
          line.annotated = true;
          break;
        case ';':
          if (to_semicolon && depth == 0) return void(++at_);
          break;
        case '=': read_equals(line, depth); break;
        case '.':
        case ',':
        case '*':
          if (depth == 0 && line.has_target()) line.changes = true;
          break;
        default: break;
      }
      if (byte != ' ' && byte != '\t') is_first = false;
      if (byte != '"' && byte != '\'') ++at_;
    }
  }

  void read_equals(Line& line, int depth) {
    if (depth != 0) return;
    if (at_ + 1 < bytes_.size() && bytes_[at_ + 1] == '=') return void(++at_);
    const char before = at_ > 0 ? bytes_[at_ - 1] : ' ';
    static constexpr std::string_view operators = "+-*/%&|^@<>!:=";
    if (operators.find(before) != std::string_view::npos) {
      line.changes = true;
    } else {
      ++line.assignments;
    }
  }

  void read_text(Line& line) {
    const size_t begin = at_;
    const char quote = bytes_[at_];
    const bool long_text = syntax::is_triple_quote(bytes_, at_);
    at_ = syntax::end_of_text(bytes_, at_).at;
    const bool has_word = takes_word(begin);
    line.has_word |= has_word && (in_texts_ || !long_text);
    std::string_view inside = bytes_.substr(begin, at_ - begin);
    if (formatted_) {
      // What stands in braces is program.
      formatted_ = false;
      for (size_t i = 0; i < inside.size();) {
        size_t end = i;
        while (end < inside.size() && is_word_byte(inside[end])) ++end;
        if (end > i) line.names.push_back(name_number(inside.substr(i, end - i)));
        i = std::max(end, i + 1);
      }
      return;
    }
    const size_t first = inside.find_first_not_of(quote);
    const size_t last = inside.find_last_not_of(quote);
    if (first == std::string_view::npos) return;
    inside = inside.substr(first, last - first + 1);
    const bool is_name = inside.size() < 200 && std::ranges::all_of(inside, [](char byte) {
                           return is_word_byte(byte) || byte == '.';
                         });
    if (!is_name) return;
    while (!inside.empty()) {
      const size_t dot = std::min(inside.find('.'), inside.size());
      if (dot > 0) line.texts.push_back(name_number(inside.substr(0, dot)));
      inside.remove_prefix(std::min(dot + 1, inside.size()));
    }
  }

  /// Everything that the line mentions, as part of a definition that somebody must use.
  void give_to(uint32_t owner, const Line& line, uint32_t method = nobody) {
    if (owner == nobody) return;
    for (const uint32_t name : line.names) mention_used(owner, name);
    for (const uint32_t name : line.texts) mention_used(owner, name);
    part(owner).has_word |= line.has_word;
    if (method == nobody) return;
    Mentions::Definition& made = found_.methods[method];
    constexpr uint32_t methods = 1u << 31;
    for (const uint32_t name : line.names) mention(made.mentioned, methods + method, name);
    for (const uint32_t name : line.texts) mention(made.mentioned, methods + method, name);
    made.has_word |= line.has_word;
  }

  void run_now(When when, const Line& line) {
    for (const uint32_t name : line.names) mention_now(when, name);
    (when == When::as_program ? found_.as_program : found_.at_import).has_word |= line.has_word;
  }

  Line& cleared_line() {
    line_.clear();
    return line_;
  }

  void read_statement(const Scope& scope) {
    Line& line = cleared_line();
    read_tokens(line, false, !in_tail_);
    const bool calls = line.calls > 0;
    switch (scope.when) {
      case When::when_used: return give_to(scope.owner, line, scope.method);
      case When::in_class:
        give_to(scope.owner, line);
        if (calls) run_now(When::at_import, line);
        return;
      case When::at_import:
      case When::as_program: break;
    }
    const bool names_value =
        !line.first.empty() && line.assignments == 1 && !line.changes && !calls;
    if (names_value) return give_to(definition(line.first), line);
    run_now(scope.when, line);
    if (line.texts.empty() || line.first == "__all__") return;
    // A table of names: whoever uses it may use what they name.
    if (line.first.empty()) {
      for (const uint32_t name : line.texts) mention_now(scope.when, name);
      return;
    }
    const uint32_t table = definition(line.first);
    for (const uint32_t name : line.texts) mention_used(table, name);
  }

  void read_decorator(const Scope& scope) {
    ++at_;
    Line& line = cleared_line();
    read_tokens(line, false, false);
    if (scope.when == When::when_used) return give_to(scope.owner, line, scope.method);
    run_now(scope.when == When::in_class ? When::at_import : scope.when, line);
    const bool completes = line.names.size() == 2 && line.names[1] == name_number("setter");
    if (!completes) pending_.push_back(line.names.empty() ? 0 : line.names.front());
    pending_word_ |= line.has_word;
    give_to(scope.owner, line);
  }

  void read_definition(const Scope& scope, bool is_class) {
    at_ += word_here().size();
    while (at_ < bytes_.size() && (bytes_[at_] == ' ' || bytes_[at_] == '\t')) ++at_;
    const std::string_view name = word_here();
    const bool outermost = scope.owner == nobody;
    const uint32_t owner = outermost ? definition(name) : scope.owner;
    if (outermost && is_class) part(owner).is_class = true;
    if (name == "__init_subclass__") part(owner).hooks = true;
    std::vector<uint32_t>& decorators = part(owner).decorators;
    decorators.insert(decorators.end(), pending_.begin(), pending_.end());
    pending_.clear();
    const bool decorator_word = std::exchange(pending_word_, false);
    part(owner).has_word |= decorator_word;
    uint32_t method = scope.method;
    if (scope.when == When::in_class && !is_class) {
      method = static_cast<uint32_t>(found_.methods.size());
      found_.methods.emplace_back().name = name_number(name);
      found_.methods.back().has_word = decorator_word;
    }
    Line& head = cleared_line();
    const size_t begin = at_;
    read_tokens(head, true, false);
    give_to(owner, head, method);
    const bool now = scope.when != When::when_used;
    const std::string_view text = bytes_.substr(begin, at_ - begin);
    const bool acts = head.calls > 1 || text.find("metaclass") != std::string_view::npos;
    if (now && acts) run_now(scope.when == When::in_class ? When::at_import : scope.when, head);
    When inside = When::when_used;
    if (is_class && now) inside = When::in_class;
    scopes_.push_back({indent_, inside, owner, method});
    if (at_ == 0 || bytes_[at_ - 1] != ':') return;  // the head had no end
    // `def f(): return 1`: the rest of the line belongs to the body.
    while (at_ < bytes_.size() && (bytes_[at_] == ' ' || bytes_[at_] == '\t')) ++at_;
    if (at_ >= bytes_.size() || bytes_[at_] == '\n' || bytes_[at_] == '\r' || bytes_[at_] == '#')
      return;
    in_tail_ = true;
    {
      const Scope body = scopes_.back();
      read_statement(body);
    }
    in_tail_ = false;
  }

  void read_import(const Scope& scope) {
    std::string_view last;
    bool last_wanted = false;
    bool wanted = false;
    int depth = 0;
    bool alias = false;
    std::vector<std::string_view> bound;
    while (at_ < bytes_.size()) {
      const char byte = bytes_[at_];
      if (begins_word(byte)) {
        const size_t begin = at_;
        const std::string_view word = word_here();
        at_ += word.size();
        const bool taken = takes_word(begin);
        wanted |= taken;
        if (alias) {
          rename(scope, last, word, last_wanted);
          if (!bound.empty()) bound.back() = word;
          alias = false;
        } else if (word == "as") {
          alias = true;
        } else {
          last = word;
          last_wanted = taken;
          bound.push_back(word);
        }
        continue;
      }
      ++at_;
      if (byte == '#') skip_comment();
      if (byte == '(') ++depth;
      if (byte == ')' && depth > 0) --depth;
      if (byte == ';' && depth == 0) break;
      if (byte == '\\' && at_ < bytes_.size()) {
        if (bytes_[at_] == '\r') ++at_;
        if (at_ < bytes_.size() && bytes_[at_] == '\n') ++at_;
      }
      if ((byte == '\n' || byte == '\r') && (depth == 0 || syntax::definition_begins(bytes_, at_)))
        break;
    }
    if (!wanted) return;
    if (scope.method != nobody) found_.methods[scope.method].has_word = true;
    // What an import binds stands for the words in it.
    for (const std::string_view name : bound)
      part(scope.owner == nobody ? definition(name) : scope.owner).has_word = true;
  }

  void rename(const Scope& scope, std::string_view from, std::string_view to, bool has_word) {
    const uint32_t owner = scope.owner == nobody ? definition(to) : scope.owner;
    mention_used(owner, name_number(from));
    part(owner).has_word |= has_word;
  }

  struct Seen {
    uint32_t number = 0;
    uint32_t owner = nobody;
  };

  std::string_view bytes_;
  std::span<const uint32_t> words_;
  bool in_texts_;
  size_t next_word_ = 0;
  size_t at_ = 0;
  int indent_ = 0;
  bool formatted_ = false;  ///< the text that follows has parts that are program
  bool in_tail_ = false;
  Line line_;
  std::vector<uint32_t> pending_;  ///< decorators
  bool pending_word_ = false;      ///< one of them has a word
  std::vector<Scope> scopes_;
  std::unordered_map<uint32_t, uint32_t> by_name_;
  std::array<Seen, 1024> seen_{};  ///< what was mentioned last, so that most is listed once
  Mentions found_;
};

}  // namespace

uint32_t name_number(std::string_view name) {
  uint32_t number = 2166136261u;
  for (const char byte : name) number = (number ^ static_cast<unsigned char>(byte)) * 16777619u;
  return number;
}

Mentions mentions_in(std::string_view bytes, std::span<const uint32_t> words, bool in_texts) {
  return Scanner(bytes, words, in_texts).run();
}

}  // namespace vramlint::frontends
