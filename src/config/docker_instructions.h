// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vramlint::config {

/// A word of an instruction and the line that it stands on.
struct DockerWord {
  std::string text;  ///< without quotes
  int line = 0;
};

/// One instruction, however many lines it takes.
struct DockerInstruction {
  std::string name;  ///< in upper case
  int line = 0;
  std::vector<DockerWord> words;  ///< operators of the shell (`&&`, `;`, `|`) are words
};

/// The instructions of a file, comments left out. A heredoc's lines belong to its instruction.
std::vector<DockerInstruction> read_instructions(std::string_view text);

}  // namespace vramlint::config
