// SPDX-License-Identifier: MIT
//
// A notebook as a page writes it: `# cell: code` in front of each cell, its lines as they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vramlint::pages {

struct NotebookCell {
  std::string type;
  std::vector<std::string> lines;
};

/// The file that Jupyter would write for these cells.
std::string notebook_text(const std::vector<NotebookCell>& cells);

}  // namespace vramlint::pages
