// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lsp/positions.h"
#include "text/source.h"

namespace vramlint::lsp {

/// One change of a text; without a range all of it.
struct Change {
  std::optional<Range> range;
  std::string text;
};

/// The text after changes, each of which counts in what the one before it has left. Thousands may
/// come at once, when a word is replaced everywhere: each costs the lines that it touches.
std::string changed(const text::Source& before, const std::vector<Change>& changes,
                    Encoding encoding);

}  // namespace vramlint::lsp
