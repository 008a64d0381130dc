// SPDX-License-Identifier: MIT
//
// knowledge_compiler INPUTS FOLDER [--strict]: reads the list of input files, writes
// FOLDER/knowledge_tables.{h,cpp}. Any complaint stops the build and leaves the old tables.

#include <fstream>
#include <iostream>

#include "tables.h"

namespace vramlint::knowledge_compiler {
namespace {

Inputs read_inputs(const std::string& listing) {
  Inputs inputs;
  std::ifstream stream(listing);
  for (std::string line; std::getline(stream, line);) {
    const std::filesystem::path path(line);
    if (path.extension() == ".toml") inputs.tables.push_back(line);
    if (path.extension() == ".md") inputs.pages.push_back(line);
    if (path.extension() == ".py") inputs.evidence.insert(path.stem().string());
    if (path.extension() == ".cpp") inputs.checks.insert(path.stem().string());
  }
  return inputs;
}

bool compile(Inputs inputs, const std::string& folder, bool strict) {
  Complaints complaints;
  std::vector<Table> tables;
  for (const std::string& file : inputs.tables) {
    tables.push_back(read_table(file, complaints));
    check_table(tables.back(), inputs, complaints);
    if (tables.back().shape.array != "criteria") continue;
    for (const toml::table& row : tables.back().rows) {
      inputs.criteria.insert(string_of(row, "name"));
    }
  }
  tables.push_back(read_pages(inputs.pages, complaints));
  check_pages(tables.back(), inputs, strict, complaints);
  if (!complaints.any()) write_tables(tables, folder, complaints);
  return !complaints.any();
}

}  // namespace
}  // namespace vramlint::knowledge_compiler

int main(int count, char** arguments) {
  using namespace vramlint::knowledge_compiler;
  if (count < 3) {
    std::cerr << "usage: knowledge_compiler INPUTS FOLDER [--strict]\n";
    return 2;
  }
  const bool strict = count > 3 && std::string_view(arguments[3]) == "--strict";
  return compile(read_inputs(arguments[1]), arguments[2], strict) ? 0 : 1;
}
