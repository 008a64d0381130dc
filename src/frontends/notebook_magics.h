// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/cells.h"

// What IPython makes of the lines of a cell that are no Python: `%name …` (a line magic), `%%name`
// in the first line (a cell magic, about the whole cell), `!command`, `name?`.

namespace vramlint::frontends {

/// Fills in `program`: the text with blanks in place of all that is no Python. Each line magic
/// leaves a `0` where it began, and so does a cell that is run by another process: a block does not
/// become empty, and the front end finds it again.
void blank_out_magics(text::Cells& cells);

/// A line magic or command, taken apart. Spans count in the text that it was taken from.
struct Magic {
  enum class Kind : uint8_t {
    set_variable,  ///< `%env NAME=VALUE`, `%set_env NAME VALUE`
    command,       ///< `!command`, `%sx command`, the body of a `%%bash` cell
    run_script,    ///< `%run script.py`
    other,
  };
  Kind kind = Kind::other;
  text::Span span;       ///< all of it
  text::Span name;       ///< of the variable
  text::Span value;      ///< of the variable; the command; the script
  bool expands = false;  ///< the value has parts that IPython fills in
};

/// The magic or command that begins there: in a text at the place of one of those `0`.
Magic magic_at(std::string_view text, std::size_t begin);

/// Whether the cell of this cell magic is run by another process.
bool starts_process(std::string_view name);

/// Whether a cell that begins so is handed to a shell: `%%bash`.
bool is_for_shell(std::string_view cell);

/// What `%env` keeps of a value although it was hardly meant: quotes around it, or a comment behind
/// it. The span is the value that was meant; nothing when there is nothing of the kind.
enum class KeptByEnv : uint8_t { quotes, comment };
struct MeantValue {
  KeptByEnv kept{};
  text::Span value;
};
std::optional<MeantValue> meant_by(std::string_view text, const Magic& magic);

}  // namespace vramlint::frontends
