// SPDX-License-Identifier: MIT
#include "cli/arguments.h"

#include <algorithm>
#include <string_view>

#include "config/settings.h"
#include "text/source.h"

namespace vramlint::cli {

namespace {

constexpr uint64_t max_file_bytes = 64 << 20;
constexpr std::string_view write_baseline = "--write-baseline";

/// Each line a word; blank lines are none.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.emplace_back(line);
  }
  return lines;
}

bool is_command(const std::vector<std::string>& words, std::string_view name) {
  return !words.empty() && words.front() == name;
}

Result<std::vector<std::string>> with_files_read(const std::vector<std::string>& words) {
  std::vector<std::string> made;
  bool only_paths = false;  // behind `--`
  for (const std::string& word : words) {
    const bool takes_files = made.empty() || is_command(made, "check");
    only_paths |= word == "--";
    if (!word.starts_with('@') || word.size() == 1 || !takes_files || only_paths) {
      made.push_back(word);
      continue;
    }
    const Result<std::string> text = text::read_file(word.substr(1), max_file_bytes);
    if (!text) {
      return Error{word.substr(1), 0, text.error().message,
                   "`" + word + "` stands for the lines of that file; a path is `./" + word + "`"};
    }
    for (std::string& line : lines_of(text.value())) made.push_back(std::move(line));
  }
  return made;
}

}  // namespace

Result<std::vector<std::string>> words_of(int count, char** arguments) {
  Result<std::vector<std::string>> read =
      with_files_read({arguments + std::min(count, 1), arguments + count});
  if (!read || !is_command(read.value(), "check")) return read;
  std::vector<std::string> words;
  for (std::string& word : read.value()) {
    // A baseline is no path to check: nobody lints JSON.
    const bool is_value = !words.empty() && words.back() == write_baseline;
    if (is_value && word.ends_with(".json") && !word.starts_with('-')) {
      words.back() += "=" + word;
      continue;
    }
    // CLI11 takes a folder named `[id]` for a list of paths.
    if (word.starts_with('[') && word.ends_with(']')) word.insert(0, "./");
    words.push_back(std::move(word));
  }
  return words;
}

std::optional<Error> read_level(const std::string& option, const std::string& word,
                                std::optional<diagnostics::Severity>& level) {
  if (word.empty()) return std::nullopt;
  level = config::parse_severity(word);
  if (level) return std::nullopt;
  return Error{"", 0, option + " takes error, warning or note, not `" + word + "`", ""};
}

}  // namespace vramlint::cli
