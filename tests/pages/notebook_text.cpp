// SPDX-License-Identifier: MIT
#include "notebook_text.h"

#include <nlohmann/json.hpp>

namespace vramlint::pages {

std::string notebook_text(const std::vector<NotebookCell>& cells) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const NotebookCell& cell : cells) {
    Json source = Json::array();
    for (const std::string& line : cell.lines)
      source.push_back(&line == &cell.lines.back() ? line : line + "\n");
    Json made = {{"cell_type", cell.type}, {"metadata", Json::object()}};
    if (cell.type == "code") {
      made["execution_count"] = nullptr;
      made["outputs"] = Json::array();
    }
    made["source"] = std::move(source);
    list.push_back(std::move(made));
  }
  const Json notebook = {
      {"cells", std::move(list)},
      {"metadata", {{"language_info", {{"name", "python"}}}}},
      {"nbformat", 4},
      {"nbformat_minor", 4},
  };
  return notebook.dump(1) + "\n";
}

}  // namespace vramlint::pages
