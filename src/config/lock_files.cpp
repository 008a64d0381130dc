// SPDX-License-Identifier: MIT
#include "config/lock_files.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "config/lines.h"

namespace vramlint::config {

namespace {

/// No lock holds more versions of torch; a file that does was not written by a locking program.
constexpr std::size_t most_versions = 64;
/// The version and the source of a package stand right behind its name.
constexpr std::size_t widest_table_head = 4096;

/// What stands between the quotes of `key = "value"`.
std::string_view quoted(std::string_view line, std::string_view key) {
  if (!line.starts_with(key)) return {};
  const std::size_t open = line.find('"');
  const std::size_t close = line.rfind('"');
  if (open == std::string_view::npos || close <= open) return {};
  return line.substr(open + 1, close - open - 1);
}

/// What stands behind `key:` in YAML, without quotes.
std::string_view value_of(std::string_view line, std::string_view key) {
  if (line.starts_with("- ")) line.remove_prefix(2);
  if (!line.starts_with(key)) return {};
  std::string_view value = trimmed(line.substr(key.size()));
  const bool is_quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'');
  return is_quoted ? value.substr(1, value.size() - 2) : value;
}

void add_lock(std::vector<Statement>& list, std::string_view version, int line) {
  Statement statement = locked(version, line);
  if (statement.written.empty() || list.size() >= most_versions) return;
  const auto same = [&](const Statement& each) {
    return each.specifier == statement.specifier && each.exactness == Exactness::lock;
  };
  if (std::ranges::none_of(list, same)) list.push_back(std::move(statement));
}

/// A table of TOML from a place inside it: up to the next line that begins with `[`.
std::string_view table_from(std::string_view text, std::size_t place) {
  const std::string_view rest = text.substr(place, widest_table_head);
  return rest.substr(0, rest.find("\n["));
}

/// The version and the index of the table that `name = "torch"` begins.
void add_torch_table(std::string_view table, int line, const knowledge::Knowledge& knowledge,
                     FileStatements& into) {
  Lines lines(table);
  std::string_view version;
  std::string_view source;
  int version_line = line;
  while (lines.next()) {
    if (version.empty()) {
      version = quoted(lines.text(), "version = ");
      version_line = line + lines.number() - 1;
    }
    if (lines.text().starts_with("source = ")) source = lines.text();
  }
  if (version.empty()) return;
  add_lock(into.torch, version, version_line);
  // `2.9.1+cu128`, or bare from an index that has wheels of one kind only.
  const knowledge::ImagePlatform of_version = platform_of_wheel(version, knowledge);
  const bool tells = version.find('+') != std::string_view::npos;
  into.platforms.push_back(
      {tells ? of_version : platform_of_wheel(source, knowledge), version_line});
}

/// A lock may hold a wheel for each of several kinds of hardware: then it tells of none.
void settle_platforms(std::vector<PlatformStatement>& platforms) {
  using knowledge::ImagePlatform;
  const auto is_any = [](const PlatformStatement& each) {
    return each.platform == ImagePlatform::any;
  };
  const bool has_any = std::ranges::any_of(platforms, is_any);
  const bool has_others = !std::ranges::all_of(platforms, is_any);
  if (has_any && has_others) platforms = {{ImagePlatform::any, platforms.front().line}};
}

/// The Python that the lock is made for: in front of all tables in uv's and PEP 751's, in
/// `[metadata]` at the end in Poetry's.
void add_python(std::string_view text, FileStatements& into) {
  constexpr std::string_view at_top = "requires-python = ";
  constexpr std::string_view at_end = "\npython-versions = ";
  const std::size_t first_table = text.starts_with('[') ? 0 : text.find("\n[");
  std::size_t place = text.substr(0, first_table).find(at_top);
  std::string_view key = at_top;
  if (place == std::string_view::npos) {
    place = text.rfind(at_end);
    if (place == std::string_view::npos) return;
    ++place;
    key = at_end.substr(1);
  }
  const std::string_view line = text.substr(place, text.find('\n', place) - place);
  into.python = statements_of(quoted(line, key), Dialect::poetry, LineCounter(text).line_of(place));
}

}  // namespace

FileStatements read_toml_lock(const std::string& text, const knowledge::Knowledge& knowledge) {
  FileStatements found;
  LineCounter counter(text);
  constexpr std::string_view torch = "\nname = \"torch\"";
  for (std::size_t at = text.find(torch); at != std::string::npos; at = text.find(torch, at + 1)) {
    const int line = counter.line_of(at + 1);
    add_torch_table(table_from(text, at + 1), line, knowledge, found);
  }
  settle_platforms(found.platforms);
  add_python(text, found);
  return found;
}

namespace {

/// `2.4.1` of `…/pytorch-2.4.1-cuda120_py312h1.conda`; empty where another package's name begins
/// with the same word.
std::string_view version_in_file_name(std::string_view line, std::string_view package) {
  const std::size_t at = line.find(package);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = line.substr(at + package.size());
  if (rest.empty() || rest.front() < '0' || rest.front() > '9') return {};
  return rest.substr(0, rest.find_first_of("-+%"));
}

/// The entry that begins with `- name: torch` or holds `name: torch` below its address.
struct CondaEntry {
  bool is_torch = false;
  bool is_python = false;
};

void read_entry_line(std::string_view line, int number, CondaEntry& entry, FileStatements& into) {
  if (line.starts_with("- ")) entry = {};
  const std::string_view name = value_of(line, "name: ");
  if (!name.empty()) entry = {name == "torch" || name == "pytorch", name == "python"};
  const std::string_view version = value_of(line, "version: ");
  if (version.empty()) return;
  if (entry.is_torch) add_lock(into.torch, version, number);
  if (entry.is_python) add_lock(into.python, version, number);
}

}  // namespace

FileStatements read_conda_lock(const std::string& text, const knowledge::Knowledge& knowledge) {
  FileStatements found;
  CondaEntry entry;
  Lines lines(text);
  while (lines.next()) {
    const std::string_view line = lines.text();
    if (line.find("conda: ") != std::string_view::npos) {
      add_lock(found.torch, version_in_file_name(line, "/pytorch-"), lines.number());
      add_lock(found.python, version_in_file_name(line, "/python-"), lines.number());
    } else if (line.starts_with("- pypi: ")) {
      add_lock(found.torch, version_in_file_name(line, "/torch-"), lines.number());
      if (line.find("/torch-") != std::string_view::npos) {
        found.platforms.push_back({platform_of_wheel(line, knowledge), lines.number()});
      }
    }
    read_entry_line(line, lines.number(), entry, found);
  }
  return found;
}

FileStatements read_pipfile_lock(const std::string& text, const knowledge::Knowledge& knowledge) {
  FileStatements found;
  Lines lines(text);
  bool in_torch = false;
  while (lines.next()) {
    const std::string_view line = lines.text();
    if (line.starts_with("\"torch\": {")) in_torch = true;
    if (line.starts_with('}')) in_torch = false;
    if (line.starts_with("\"python_version\"")) {
      const std::string_view version = quoted(line.substr(line.find(':') + 1), " ");
      found.python = statements_of(version, Dialect::poetry, lines.number());
    }
    if (!in_torch || !line.starts_with("\"version\"")) continue;
    std::string_view version = quoted(line.substr(line.find(':') + 1), " ");
    found.platforms.push_back({platform_of_wheel(version, knowledge), lines.number()});
    while (version.starts_with('=')) version.remove_prefix(1);
    add_lock(found.torch, version, lines.number());
  }
  return found;
}

}  // namespace vramlint::config
