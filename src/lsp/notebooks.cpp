// SPDX-License-Identifier: MIT
#include "lsp/notebooks.h"

#include <algorithm>

#include "frontends/notebook.h"
#include "lsp/protocol.h"

namespace vramlint::lsp {

std::shared_ptr<const text::Source> saved(const Notebook& notebook) {
  Json cells = Json::array();
  for (const NotebookCell& cell : notebook.cells) {
    const bool counts = cell.is_code && cell.is_python && cell.source != nullptr;
    cells.push_back({{"cell_type", counts ? "code" : "markdown"},
                     {"source", counts ? std::string(cell.source->bytes()) : std::string()}});
  }
  const Json made = {{"nbformat", 4},
                     {"nbformat_minor", 5},
                     {"metadata", {{"language_info", {{"name", "python"}}}}},
                     {"cells", std::move(cells)}};
  return frontends::source_of(notebook.path, text_of(made), text::Language::notebook);
}

std::vector<std::string> cell_texts(const text::Source& source, std::size_t count) {
  std::vector<std::string> texts(count);
  const text::Cells* cells = source.cells_or_null();
  if (cells == nullptr) return texts;
  for (const text::Cell& cell : cells->all) {
    const auto at = static_cast<std::size_t>(cell.number) - 1;
    if (at < count) texts[at] = source.slice(cell.span);
  }
  return texts;
}

}  // namespace vramlint::lsp
