// SPDX-License-Identifier: MIT
//
// tree-sitter parses some 7 MB of Python a second on a core, this scan a few hundred. Since most of
// a repository's functions can't matter to a finding, a file is cut here first and only the blocks
// that the replay reaches are parsed.
#include "syntax/blocks.h"

#include <array>

namespace vramlint::syntax {
namespace {

bool is_word_byte(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value == '_' || value >= 0x80 || (value >= '0' && value <= '9') ||
         (value >= 'a' && value <= 'z') || (value >= 'A' && value <= 'Z');
}

/// More lines in a block that say nothing than people write.
constexpr int max_idle = 200;

class Scanner {
 public:
  /// `cleaned`: a copy of the bytes, in which idle lines are blanked.
  explicit Scanner(std::string_view bytes, std::string* cleaned = nullptr)
      : bytes_(bytes), cleaned_(cleaned) {}

  std::vector<TopLevelBlock> run() {
    if (bytes_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (at_ < bytes_.size()) {
      if (line_opens_block()) open_block();
      skip_logical_line();
    }
    close_block(bytes_.size());
    return std::move(blocks_);
  }

 private:
  bool line_opens_block() const {
    const char first = bytes_[at_];
    if (first == ' ' || first == '\t' || first == '\f' || first == '#') return false;
    return first != '\n' && first != '\r';
  }

  std::string_view word_at(size_t begin) const {
    size_t end = begin;
    while (end < bytes_.size() && is_word_byte(bytes_[end])) ++end;
    return bytes_.substr(begin, end - begin);
  }

  size_t skip_blanks(size_t from) const {
    while (from < bytes_.size() && (bytes_[from] == ' ' || bytes_[from] == '\t')) ++from;
    return from;
  }

  void open_block() {
    const std::string_view word = word_at(at_);
    static constexpr std::array<std::string_view, 4> clauses = {"else", "elif", "except",
                                                                "finally"};
    for (const std::string_view clause : clauses) {
      if (word == clause && !blocks_.empty()) return;
    }
    if (awaiting_definition_) {
      awaiting_definition_ = bytes_[at_] == '@';
      name_definition(blocks_.back(), word);
      return;
    }
    close_block(at_);
    TopLevelBlock block;
    block.span.begin = static_cast<uint32_t>(at_);
    block.decorated = bytes_[at_] == '@';
    awaiting_definition_ = block.decorated;
    if (word == "import" || word == "from") block.shape = BlockShape::import;
    name_definition(block, word);
    blocks_.push_back(block);
  }

  void name_definition(TopLevelBlock& block, std::string_view word) const {
    size_t after = at_ + word.size();
    if (word == "async") {
      const size_t next = skip_blanks(after);
      if (word_at(next) != "def") return;
      after = next + 3;
      word = "def";
    }
    if (word != "def" && word != "class") return;
    block.shape = word == "def" ? BlockShape::function : BlockShape::class_;
    const size_t begin = skip_blanks(after);
    block.name = {static_cast<uint32_t>(begin),
                  static_cast<uint32_t>(begin + word_at(begin).size())};
  }

  void close_block(size_t end) {
    if (blocks_.empty()) return;
    blocks_.back().span.end = static_cast<uint32_t>(end);
    blocks_.back().crowded = idle_ > max_idle;
    idle_ = 0;
  }

  /// Stretch outside strings that means nothing.
  void note_idle(size_t begin) {
    ++idle_;
    if (cleaned_ != nullptr) cleaned_->replace(begin, at_ - begin, at_ - begin, ' ');
  }

  /// To the start of the next line that is outside strings and brackets.
  void skip_logical_line() {
    int depth = 0;
    while (at_ < bytes_.size()) {
      const char byte = bytes_[at_];
      switch (byte) {
        case '\n':
        case '\r':
          ++at_;
          if (depth == 0) return;
          if (depth > 0 && definition_follows()) return;
          break;
        case '\\': {
          const size_t begin = at_;
          skip_escape();
          if (bytes_[at_ - 1] == '\n' || bytes_[at_ - 1] == '\r') note_idle(begin);
          break;
        }
        case '#': skip_comment(); break;
        case '"':
        case '\'': skip_string(byte); break;
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
        default: ++at_;
      }
    }
  }

  /// A definition in column 0 can't stand inside brackets: they were never closed.
  bool definition_follows() const {
    const std::string_view rest = bytes_.substr(at_, 6);
    return rest.starts_with("def ") || rest.starts_with("class ");
  }

  void skip_escape() {
    at_ += 1;
    if (at_ >= bytes_.size()) return;
    const bool carriage = bytes_[at_] == '\r';
    at_ += 1;
    if (carriage && at_ < bytes_.size() && bytes_[at_] == '\n') ++at_;
  }

  void skip_comment() {
    const size_t begin = at_;
    while (at_ < bytes_.size() && bytes_[at_] != '\n' && bytes_[at_] != '\r') ++at_;
    size_t first = begin;
    while (first > 0 && (bytes_[first - 1] == ' ' || bytes_[first - 1] == '\t')) --first;
    if (first == 0 || bytes_[first - 1] == '\n' || bytes_[first - 1] == '\r') note_idle(begin);
  }

  bool closes_triple(char quote) const {
    return at_ + 2 < bytes_.size() && bytes_[at_ + 1] == quote && bytes_[at_ + 2] == quote;
  }

  void skip_string(char quote) {
    const bool triple = closes_triple(quote);
    at_ += triple ? 3 : 1;
    while (at_ < bytes_.size()) {
      const char byte = bytes_[at_];
      if (byte == '\\') {
        skip_escape();
        continue;
      }
      if (!triple && (byte == '\n' || byte == '\r')) return;  // unterminated: ends with its line
      if (byte == quote && (!triple || closes_triple(quote))) {
        at_ += triple ? 3 : 1;
        return;
      }
      ++at_;
    }
  }

  std::string_view bytes_;
  size_t at_ = 0;
  std::string* cleaned_;
  bool awaiting_definition_ = false;
  int idle_ = 0;  ///< in the block so far
  std::vector<TopLevelBlock> blocks_;
};

}  // namespace

std::vector<TopLevelBlock> top_level_blocks(std::string_view bytes) { return Scanner(bytes).run(); }

std::string without_idle_lines(std::string_view bytes) {
  std::string cleaned(bytes);
  Scanner(bytes, &cleaned).run();
  return cleaned;
}

}  // namespace vramlint::syntax
