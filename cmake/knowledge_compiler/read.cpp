// SPDX-License-Identifier: MIT
//
// From files to tables. Line numbers of what is read stay those of the file, so that every later
// complaint, the C++ compiler's as well, can name them.

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include "tables.h"

namespace vramlint::knowledge_compiler {

void Complaints::error(const std::string& file, uint32_t line, const std::string& what) {
  std::cerr << file << ':' << line << ": error: " << what << '\n';
  any_ = true;
}

void Complaints::error(const toml::node& node, const std::string& what) {
  error(*node.source().path, node.source().begin.line, what);
}

void Complaints::warning(const toml::node& node, const std::string& what) {
  std::cerr << *node.source().path << ':' << node.source().begin.line << ": warning: " << what
            << '\n';
}

bool read_version(std::string_view text, std::pair<int, int>& version) {
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.first);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return false;
  const auto minor = std::from_chars(major.ptr + 1, end, version.second);
  return minor.ec == std::errc() && minor.ptr == end && version.first >= 0 && version.second >= 0;
}

std::vector<std::string> strings_of(const toml::node* node) {
  std::vector<std::string> out;
  if (node == nullptr) return out;
  if (const auto* array = node->as_array()) {
    for (const toml::node& item : *array) out.push_back(item.value_or(std::string()));
  } else {
    out.push_back(node->value_or(std::string()));
  }
  return out;
}

std::string string_of(const toml::table& row, std::string_view field) {
  return row[field].value_or(std::string());
}

std::string read_text(const std::string& file, Complaints& complaints) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) complaints.error(file, 1, "cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

namespace {

std::optional<toml::table> parse(const std::string& file, const std::string& text,
                                 Complaints& complaints) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    complaints.error(file, error.source().begin.line, std::string(error.description()));
    return std::nullopt;
  }
}

std::map<std::string, std::string> names_of(const toml::node& node) {
  std::map<std::string, std::string> out;
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table) out[std::string(key)] = value.value_or(std::string());
  }
  return out;
}

void read_shape(const toml::table& header, Shape& shape, Complaints& complaints) {
  for (const auto& [key, node] : header) {
    if (key == "row") {
      shape.row = node.value_or(std::string());
    } else if (key == "array") {
      shape.array = node.value_or(std::string());
    } else if (key == "range") {
      shape.range = node.value_or(std::string());
    } else if (key == "include") {
      shape.include = node.value_or(std::string());
    } else if (key == "enums") {
      shape.enums = names_of(node);
    } else if (key == "rows_of") {
      shape.rows_of = names_of(node);
    } else if (key == "versions") {
      for (std::string& field : strings_of(&node)) shape.versions.insert(std::move(field));
    } else {
      complaints.error(node,
                       "[table] takes row, array, range, include, enums, rows_of and versions, "
                       "not `" +
                           std::string(key) + "`");
    }
  }
}

}  // namespace

Table read_table(const std::string& file, Complaints& complaints) {
  Table table;
  std::optional<toml::table> document = parse(file, read_text(file, complaints), complaints);
  if (!document) return table;
  for (auto&& [key, node] : *document) {
    if (key == "table" && node.is_table()) {
      read_shape(*node.as_table(), table.shape, complaints);
    } else if (key == "rows" && node.is_array_of_tables()) {
      for (toml::node& row : *node.as_array()) table.rows.push_back(std::move(*row.as_table()));
    } else {
      complaints.error(node, "expected [table] and [[rows]], not `" + std::string(key) + "`");
    }
  }
  const Shape& shape = table.shape;
  if (shape.row.empty() || shape.array.empty()) {
    complaints.error(file, 1, "[table] needs `row`, a struct, and `array`, a name");
  }
  if (!shape.include.starts_with("knowledge/")) {
    complaints.error(file, 1, "`include` has to be a header of src/knowledge/");
  }
  return table;
}

Table read_pages(const std::vector<std::string>& files, Complaints& complaints) {
  static constexpr std::string_view opening = "```toml rule\n";
  Table pages;
  pages.shape.row = "RulePage";
  pages.shape.array = "pages";
  for (const std::string& file : files) {
    const std::string text = read_text(file, complaints);
    const std::size_t fence = text.starts_with("```") ? 0 : text.find("\n```") + 1;
    const std::size_t begin = fence + opening.size();
    const std::size_t end = text.find("```\n", std::min(begin, text.size()));
    if (text.compare(fence, opening.size(), opening) != 0 || end == std::string::npos) {
      complaints.error(file, 1, "the first fenced block has to be ```toml rule");
      continue;
    }
    const auto block = text.begin() + static_cast<std::ptrdiff_t>(begin);
    std::string lines(static_cast<std::size_t>(std::count(text.begin(), block, '\n')), '\n');
    std::optional<toml::table> parsed =
        parse(file, lines + text.substr(begin, end - begin), complaints);
    if (!parsed) continue;
    toml::table& page = *parsed;
    const std::filesystem::path path(file);
    page.insert_or_assign("name", path.stem().string());
    page.insert_or_assign("family", path.parent_path().filename().string());
    page.insert_or_assign("text", text);
    std::string check = string_of(page, "check");
    std::replace(check.begin(), check.end(), '-', '_');
    if (auto* node = page.get_as<std::string>("check")) *node = check;
    pages.rows.push_back(std::move(page));
  }
  return pages;
}

}  // namespace vramlint::knowledge_compiler
