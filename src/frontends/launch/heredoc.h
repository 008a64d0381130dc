// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "frontends/launch/mapped_text.h"
#include "model/launch.h"

namespace vramlint::frontends {

/// Lines below a command that its program reads.
struct Heredoc {
  std::string end;
  bool strips_tabs = false;
  bool is_shell = false;
  bool is_for_later = false;     ///< lines that a workflow sets for its later steps
  bool is_literal = false;       ///< nothing in it is expanded
  std::optional<size_t> reader;  ///< the step that starts the program which reads it
  std::optional<size_t> keeper;  ///< … that keeps the environment from that program
};

/// The lines of a heredoc as the Python program that they are, for the step that reads it, with the
/// stretches that the shell fills in. None where the shell changes more than that.
void add_program(const MappedText& text, const Heredoc& heredoc, size_t begin, size_t end,
                 model::LaunchStep& reader);

/// The lines of a text that stands in the file as it is; none where some of it does not.
std::vector<text::Span> lines_in(const MappedText& text, size_t begin, size_t end);

}  // namespace vramlint::frontends
