// SPDX-License-Identifier: MIT
//
// What the knowledge compiler works on, and its steps: read, check, write. It runs on the build
// machine and turns rules/knowledge/*.toml and the rule pages into constant arrays of the row
// structs in src/knowledge/. It knows no table and no field by name but those that every row may
// have.
#pragma once

#include <toml++/toml.h>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace vramlint::knowledge_compiler {

/// The `[table]` header of a table file.
struct Shape {
  std::string row;              ///< struct in vramlint::knowledge
  std::string array;            ///< name of the array
  std::string range = "torch";  ///< member that takes `since` and `until`; empty: the row itself
  std::string include = "knowledge/rows.h";    ///< where the struct is
  std::map<std::string, std::string> enums;    ///< field → enum: its words are enumerators
  std::map<std::string, std::string> rows_of;  ///< field → struct: it holds tables
  std::set<std::string> versions;              ///< fields that are a `Version`
};

struct Table {
  Shape shape;
  std::vector<toml::table> rows;
};

/// The files of the build, relative to the top of the source tree, where the compiler runs.
struct Inputs {
  std::vector<std::string> tables;
  std::vector<std::string> pages;
  std::set<std::string> evidence;  ///< stems of rules/evidence/*.py
  std::set<std::string> checks;    ///< stems of src/rules/checks/*.cpp
  std::set<std::string> criteria;  ///< names in the table of that name
};

/// Complaints in the form that editors and build tools recognise: `file:line: error: what`.
class Complaints {
 public:
  void error(const std::string& file, uint32_t line, const std::string& what);
  void error(const toml::node& node, const std::string& what);
  void warning(const toml::node& node, const std::string& what);
  bool any() const { return any_; }

 private:
  bool any_ = false;
};

std::string read_text(const std::string& file, Complaints& complaints);
Table read_table(const std::string& file, Complaints& complaints);
/// All rule pages as one table of `RulePage`.
Table read_pages(const std::vector<std::string>& files, Complaints& complaints);

/// Refuses rows that nobody could look up, or that contradict each other.
void check_table(const Table& table, const Inputs& inputs, Complaints& complaints);
/// `strict`: a page whose check has no source is an error, not a warning.
void check_pages(const Table& pages, const Inputs& inputs, bool strict, Complaints& complaints);

void write_tables(const std::vector<Table>& tables, const std::filesystem::path& folder,
                  Complaints& complaints);

/// `2.11` → {2, 11}; false for anything else. Rows speak of release lines, never of patches.
bool read_version(std::string_view text, std::pair<int, int>& version);
/// The string, or the strings of the array; empty for a missing node.
std::vector<std::string> strings_of(const toml::node* node);
std::string string_of(const toml::table& row, std::string_view field);

}  // namespace vramlint::knowledge_compiler
