// SPDX-License-Identifier: MIT
//
// An argument file: any lines are words in their order, those that begin with `@` as well. A byte 0
// ends the file; what is behind are further words of the command line.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "require.h"

namespace {

using vramlint::fuzz::require;

/// In memory where the system has a place for that.
const std::string& file() {
  static const std::string path = [] {
    namespace fs = std::filesystem;
    const fs::path memory = "/dev/shm";
    const fs::path folder = fs::is_directory(memory) ? memory : fs::temp_directory_path();
    return (folder / ("vramlint_fuzz_arguments." + std::to_string(::getpid()))).string();
  }();
  return path;
}

std::vector<std::string> pieces_of(std::string_view bytes, char between) {
  std::vector<std::string> pieces;
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find(between), bytes.size());
    std::string_view piece = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (between == '\n' && piece.ends_with('\r')) piece.remove_suffix(1);
    if (!piece.empty()) pieces.emplace_back(piece);
  }
  return pieces;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t cut = std::min(bytes.find('\0'), bytes.size());
  std::ofstream(file(), std::ios::binary | std::ios::trunc) << bytes.substr(0, cut);

  std::vector<std::string> written = {"check"};
  std::ranges::copy(pieces_of(bytes.substr(0, cut), '\n'), std::back_inserter(written));
  std::vector<std::string> arguments = {"vramlint", "check", "@" + file()};
  for (const std::string& piece : pieces_of(bytes.substr(cut), '\0')) {
    if (piece.starts_with('@')) continue;  // somebody's file
    arguments.push_back(piece);
    written.push_back(piece);
  }
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  const auto read = vramlint::cli::words_of(static_cast<int>(pointers.size()), pointers.data());
  require(static_cast<bool>(read));
  std::size_t at = 0;
  for (const std::string& word : read.value()) {
    require(at < written.size());
    const bool has_value = at + 1 < written.size() && word == written[at] + "=" + written[at + 1];
    require(has_value || word == written[at] || word == "./" + written[at]);
    at += has_value ? 2 : 1;
  }
  require(at == written.size());
  return 0;
}
