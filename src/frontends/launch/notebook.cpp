// SPDX-License-Identifier: MIT
//
// What a notebook hands to shells: `!command`, `%sx command`, the cells under `%%bash`. Each is a
// shell of its own, which forgets what it sets; those that only set are left to the check of
// `!export`. Python around them is the Python front end's.
#include <algorithm>

#include "frontends/launch/commands.h"
#include "frontends/launch/launch_languages.h"
#include "frontends/launch/shell.h"
#include "frontends/line_text.h"
#include "frontends/notebook_magics.h"

namespace vramlint::frontends {
namespace {

using model::LaunchStep;
using model::LaunchStepKind;

/// Nobody writes more into one notebook.
constexpr size_t most_commands = 2000;

/// IPython puts the values of Python's names in place of `{name}` before a shell gets the line; it
/// leaves the cells of cell magics as they are.
bool is_filled_in(std::string_view text, const Magic& magic) {
  return !part(text, magic.span).starts_with("%%") &&
         part(text, magic.value).find('{') != std::string_view::npos;
}

bool is_for_windows(std::string_view text, const Magic& magic) {
  return part(text, magic.span).starts_with("%%cmd");
}

/// A command under an `if` or in a function stands behind blanks.
bool is_indented(std::string_view text, size_t at) { return at > 0 && is_blank(text[at - 1]); }

void read_command_at(std::string_view cell, uint32_t offset, size_t at, LaunchSteps& into) {
  const Magic magic = magic_at(cell, at);
  if (magic.kind != Magic::Kind::command || is_filled_in(cell, magic) ||
      is_for_windows(cell, magic)) {
    return;
  }
  ShellContext context;
  context.conditional = is_indented(cell, at);
  LaunchSteps steps;
  read_shell(MappedText(part(cell, magic.value), offset + magic.value.begin), context, steps);
  const bool starts = std::ranges::any_of(steps, [](const LaunchStep& step) {
    return step.kind == LaunchStepKind::start && !step.words.empty();
  });
  const bool is_cell = part(cell, magic.span).starts_with("%%");
  if (!starts && !is_cell) return;
  note_lost_with_shell(steps, 0, model::Misstep::own_shell);
  LaunchStep bare;
  bare.kind = LaunchStepKind::enter;
  into.push_back(bare);
  std::ranges::move(steps, std::back_inserter(into));
  bare.kind = LaunchStepKind::leave;
  into.push_back(bare);
}

}  // namespace

void read_notebook(const text::Source& notebook, LaunchSteps& into) {
  const text::Cells* cells = notebook.cells_or_null();
  if (cells == nullptr) return;
  size_t commands = 0;
  for (const text::Cell& cell : cells->all) {
    const std::string_view written = notebook.slice(cell.span);
    const std::string_view program = notebook.program_slice(cell.span);
    for (size_t at = program.find('0'); at < program.size(); at = program.find('0', at + 1)) {
      if (written[at] == '0' || ++commands > most_commands) continue;
      read_command_at(written, cell.span.begin, at, into);
    }
  }
}

}  // namespace vramlint::frontends
