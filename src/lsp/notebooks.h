// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/source.h"

namespace vramlint::lsp {

/// A cell as an editor has it.
struct NotebookCell {
  std::string uri;
  bool is_code = true;
  bool is_python = true;
  std::shared_ptr<const text::Source> source;  ///< null until the editor has sent its text
};

/// A notebook that an editor has open: one program, whose cells are texts of their own.
struct Notebook {
  std::string uri;
  std::string path;  ///< absolute; made up for what is no file yet
  std::string root;  ///< folder that it is linted in
  std::vector<NotebookCell> cells;
};

/// The notebook as its file would be if it were saved now, less what the cells have put out.
std::shared_ptr<const text::Source> saved(const Notebook& notebook);

/// The texts of the code cells of a notebook's source, by number from 1; empty where there is none.
std::vector<std::string> cell_texts(const text::Source& source, std::size_t count);

}  // namespace vramlint::lsp
