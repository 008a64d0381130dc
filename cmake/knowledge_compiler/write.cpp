// SPDX-License-Identifier: MIT
//
// From tables to C++. Each row becomes a function that starts from the struct's defaults and
// assigns one field after the other; `#line` makes the C++ compiler report a misspelt field or word
// at the line of TOML that has it.

#include <fstream>
#include <limits>
#include <sstream>

#include "tables.h"

namespace vramlint::knowledge_compiler {
namespace {

constexpr std::string_view warning_line = "// Made from rules/ by the build.\n";

/// As a C++ string literal. Octal escapes, since a hexadecimal one would swallow a digit after it.
std::string string_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n\"\n        \"";
    } else if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (code < 0x20 || code == 0x7f) {
      out += '\\';
      for (const int shift : {6, 3, 0}) out += static_cast<char>('0' + (code >> shift & 7));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// Nodes that the compiler itself put in (a page's name, say) have no place.
std::string line_mark(const toml::node& node) {
  if (!node.source().path) return "";
  return "#line " + std::to_string(node.source().begin.line) + " " +
         string_literal(*node.source().path) + "\n";
}

/// Writes one table. Braces around a value keep C++ from turning it into another type without a
/// word. Arrays inside rows become arrays of their own, in front of the rows.
class TableWriter {
 public:
  TableWriter(const Shape& shape, Complaints& complaints)
      : shape_(shape), complaints_(complaints) {}

  std::string write(const std::vector<toml::table>& rows) {
    const std::string span = "const std::span<const " + shape_.row + "> " + shape_.array;
    if (rows.empty()) return span + "{};\n\n";
    std::string items;
    for (const toml::table& row : rows) items += row_of(shape_.row, row) + ",\n";
    const std::string storage = shape_.array + "_rows";
    return arrays_ + "constexpr " + shape_.row + " " + storage + "[] = {\n" + items + "};\n" +
           span + "{" + storage + "};\n\n";
  }

 private:
  std::string row_of(const std::string& type, const toml::table& row) {
    std::string out = "    [] {\n      " + type + " row{};\n";
    for (const auto& [key, node] : row) {
      const std::string field(key);
      const bool ranged = field == "since" || field == "until";
      std::string place = "row.";
      if (ranged && !shape_.range.empty()) place += shape_.range + ".";
      place += field;
      out += line_mark(node) + "      " + place + " = {" + value_of(type, field, node) + "};\n";
    }
    return out + "      return row;\n    }()";
  }

  std::string value_of(const std::string& type, const std::string& field, const toml::node& node) {
    if (const auto* array = node.as_array()) return array_of(type, field, *array);
    if (const auto* table = node.as_table()) return row_of(struct_of(field, node), *table);
    if (field == "since" || field == "until" || shape_.versions.contains(field)) {
      return version_of(field, node);
    }
    if (const auto* text = node.as_string()) {
      const auto found = shape_.enums.find(field);
      // Of a view the compiler need not count the bytes itself, which clang does so many times
      // only.
      return found == shape_.enums.end() ? string_literal(text->get()) + "sv"
                                         : found->second + "::" + text->get();
    }
    return literal_of(field, node);
  }

  std::string array_of(const std::string& type, const std::string& field,
                       const toml::array& array) {
    if (array.empty()) return "";
    std::string items;
    for (const toml::node& node : array) {
      items += "    " + value_of(type, field, node) + ",\n";
    }
    const std::string name = shape_.array + "_" + field + "_" + std::to_string(++array_count_);
    arrays_ += line_mark(array) + "constexpr ElementOf<decltype(" + type + "::" + field + ")> " +
               name + "[] = {\n" + items + "};\n";
    return name;
  }

  std::string struct_of(const std::string& field, const toml::node& node) {
    const auto found = shape_.rows_of.find(field);
    if (found != shape_.rows_of.end()) return found->second;
    complaints_.error(node, "`" + field + "` is a table; name its struct in `[table] rows_of`");
    return "";
  }

  std::string version_of(const std::string& field, const toml::node& node) {
    std::pair<int, int> version;
    if (!node.is_string() || !read_version(node.value_or(std::string()), version)) {
      complaints_.error(node, "`" + field + "` has to be a release line such as \"2.11\"");
      return "{}";
    }
    return "Version{" + std::to_string(version.first) + ", " + std::to_string(version.second) + "}";
  }

  std::string literal_of(const std::string& field, const toml::node& node) {
    std::ostringstream out;
    out.precision(std::numeric_limits<double>::max_digits10);
    if (const auto* flag = node.as_boolean()) {
      out << (flag->get() ? "true" : "false");
    } else if (const auto* number = node.as_integer()) {
      out << number->get();
    } else if (const auto* real = node.as_floating_point()) {
      out << real->get();
    } else {
      complaints_.error(node, "`" + field + "` is a date; write it as a string");
    }
    return out.str();
  }

  const Shape& shape_;
  Complaints& complaints_;
  std::string arrays_;
  int array_count_ = 0;
};

/// Untouched when it would stay the same: what includes it is not built again.
void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ostringstream old;
  old << std::ifstream(path, std::ios::binary).rdbuf();
  if (old.str() != text) std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

void write_tables(const std::vector<Table>& tables, const std::filesystem::path& folder,
                  Complaints& complaints) {
  std::set<std::string> includes = {"knowledge/rows.h"};
  std::string declarations;
  std::string definitions;
  for (const Table& table : tables) {
    includes.insert(table.shape.include);
    declarations +=
        "extern const std::span<const " + table.shape.row + "> " + table.shape.array + ";\n";
    definitions += TableWriter(table.shape, complaints).write(table.rows);
  }
  if (complaints.any()) return;

  std::string header(warning_line);
  header += "#pragma once\n\n";
  for (const std::string& include : includes) header += "#include \"" + include + "\"\n";
  header += "\nnamespace vramlint::knowledge::tables {\n\n" + declarations +
            "\n}  // namespace vramlint::knowledge::tables\n";

  std::string source(warning_line);
  source +=
      "#include \"knowledge_tables.h\"\n\n#include <span>\n#include <string_view>\n"
      "#include <type_traits>\n\nnamespace vramlint::knowledge::tables {\nnamespace {\n\n"
      "template <typename Span>\nusing ElementOf = std::remove_const_t<typename "
      "Span::element_type>;\n"
      "using namespace std::string_view_literals;\n"
      "\n}  // namespace\n\n";
  source += definitions + "}  // namespace vramlint::knowledge::tables\n";
  write_file(folder / "knowledge_tables.h", header);
  write_file(folder / "knowledge_tables.cpp", source);
}

}  // namespace vramlint::knowledge_compiler
