// SPDX-License-Identifier: MIT
//
// tree-sitter parses some 7 MB of Python a second on a core, this scan a few hundred. Since most of
// a repository's functions can't matter to a finding, a file is cut here first and only the blocks
// that the replay reaches are parsed.
#include "syntax/blocks.h"

#include <array>

#include "syntax/lines.h"

namespace vramlint::syntax {
namespace {

/// More lines in a block that say nothing than people write.
constexpr int max_idle = 200;

class Scanner {
 public:
  explicit Scanner(std::string_view bytes, std::string* cleaned = nullptr)
      : bytes_(bytes), lines_(bytes, cleaned) {}

  std::vector<TopLevelBlock> run() {
    while (!lines_.at_end()) {
      if (line_opens_block()) open_block();
      lines_.skip_logical_line();
    }
    close_block(bytes_.size());
    return std::move(blocks_);
  }

 private:
  bool line_opens_block() const {
    const char first = bytes_[lines_.at()];
    if (first == ' ' || first == '\t' || first == '\f' || first == '#') return false;
    return first != '\n' && first != '\r';
  }

  void open_block() {
    const std::string_view word = lines_.word_at(lines_.at());
    static constexpr std::array<std::string_view, 4> clauses = {"else", "elif", "except",
                                                                "finally"};
    for (const std::string_view clause : clauses) {
      if (word == clause && !blocks_.empty()) return;
    }
    if (awaiting_definition_) {
      awaiting_definition_ = bytes_[lines_.at()] == '@';
      name_definition(blocks_.back(), word);
      return;
    }
    close_block(lines_.at());
    TopLevelBlock block;
    block.span.begin = static_cast<uint32_t>(lines_.at());
    block.decorated = bytes_[lines_.at()] == '@';
    awaiting_definition_ = block.decorated;
    if (word == "import" || word == "from") block.shape = BlockShape::import;
    name_definition(block, word);
    blocks_.push_back(block);
  }

  void name_definition(TopLevelBlock& block, std::string_view word) const {
    size_t after = lines_.at() + word.size();
    if (word == "async") {
      const size_t next = lines_.skip_blanks(after);
      if (lines_.word_at(next) != "def") return;
      after = next + 3;
      word = "def";
    }
    if (word != "def" && word != "class") return;
    block.shape = word == "def" ? BlockShape::function : BlockShape::class_;
    const size_t begin = lines_.skip_blanks(after);
    block.name = {static_cast<uint32_t>(begin),
                  static_cast<uint32_t>(begin + lines_.word_at(begin).size())};
  }

  void close_block(size_t end) {
    if (blocks_.empty()) return;
    blocks_.back().span.end = static_cast<uint32_t>(end);
    blocks_.back().crowded = lines_.take_idle() > max_idle;
  }

  std::string_view bytes_;
  Lines lines_;
  bool awaiting_definition_ = false;
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
