// SPDX-License-Identifier: MIT
// Lines to instructions to words. A word is cut where a shell would cut it; what stands in quotes
// stays together.
#include "config/docker_instructions.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <utility>

#include "config/lines.h"
#include "text/letter_case.h"

namespace vramlint::config {

namespace {

constexpr std::string_view operators = "&|;()";

/// Adds the words of one line. A word does not go on over a line's end.
void add_words(std::string_view text, int line, std::vector<DockerWord>& words) {
  std::string word;
  bool has_word = false;
  char quote = '\0';
  const auto finish = [&] {
    if (has_word) words.push_back({word, line});
    word.clear();
    has_word = false;
  };
  for (const char byte : text) {
    if (quote != '\0') {
      if (byte == quote) {
        quote = '\0';
      } else {
        word += byte;
      }
    } else if (byte == '"' || byte == '\'') {
      quote = byte;
      has_word = true;
    } else if (byte == ' ' || byte == '\t' || byte == '\r') {
      finish();
    } else if (operators.find(byte) != std::string_view::npos) {
      finish();
      words.push_back({std::string(1, byte), line});
    } else {
      word += byte;
      has_word = true;
    }
  }
  finish();
}

/// The word that ends a heredoc which a line opens: `RUN <<EOF`, `<<-"EOF"`.
std::optional<std::string> heredoc_end(std::string_view line) {
  std::size_t at = line.find("<<");
  if (at == std::string_view::npos) return std::nullopt;
  at = std::min(line.find_first_not_of("-\"'", at + 2), line.size());
  std::string end;
  for (;
       at < line.size() && (std::isalnum(static_cast<unsigned char>(line[at])) || line[at] == '_');
       ++at) {
    end += line[at];
  }
  if (end.empty()) return std::nullopt;
  return end;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : lines_(text) {}

  std::vector<DockerInstruction> run() {
    while (lines_.next()) take_line(lines_.text());
    return std::move(instructions_);
  }

 private:
  void take_line(std::string_view line) {
    const bool is_comment = line.starts_with('#');
    if (heredoc_) return take_heredoc_line(line);
    // A comment between the lines of an instruction does not end it; nor does an empty line.
    if (line.empty() || is_comment) return;
    bool goes_on = false;
    if (line.ends_with('\\')) {
      goes_on = true;
      line = trimmed(line.substr(0, line.size() - 1));
    }
    if (!in_instruction_) line = begin(line);
    add_words(line, lines_.number(), instructions_.back().words);
    in_instruction_ = goes_on;
    if (!goes_on && takes_heredoc()) heredoc_ = heredoc_end(line);
  }

  std::string_view begin(std::string_view line) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    DockerInstruction instruction;
    instruction.line = lines_.number();
    instruction.name = text::upper(line.substr(0, end));
    instructions_.push_back(std::move(instruction));
    return trimmed(line.substr(end));
  }

  void take_heredoc_line(std::string_view line) {
    if (line == *heredoc_) {
      heredoc_.reset();
      return;
    }
    std::vector<DockerWord>& words = instructions_.back().words;
    if (line.ends_with('\\')) {
      add_words(line.substr(0, line.size() - 1), lines_.number(), words);
    } else if (!line.starts_with('#')) {
      add_words(line, lines_.number(), words);
      words.push_back({";", lines_.number()});
    }
  }

  bool takes_heredoc() const {
    const std::string& name = instructions_.back().name;
    return name == "RUN" || name == "COPY" || name == "ADD";
  }

  Lines lines_;
  std::vector<DockerInstruction> instructions_;
  bool in_instruction_ = false;
  std::optional<std::string> heredoc_;
};

}  // namespace

std::vector<DockerInstruction> read_instructions(std::string_view text) {
  return Reader(text).run();
}

}  // namespace vramlint::config
