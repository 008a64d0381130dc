// SPDX-License-Identifier: MIT
#include "validate/scratch.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace vramlint::validate {

namespace fs = std::filesystem;

namespace {

/// A folder of this name would be two in a list of folders.
bool parts_path(const fs::path& folder) { return folder.string().find(':') != std::string::npos; }

Result<fs::path> temporary_folder() {
  std::error_code failed;
  const fs::path named = fs::temp_directory_path(failed);
  const fs::path parent = failed ? named : fs::absolute(named, failed);
  if (failed) return Error{"", 0, "there is no folder for temporary files", "set `TMPDIR`"};
  if (parts_path(parent)) {
    return Error{parent.string(), 0, "`PYTHONPATH` can't name a folder with `:` in it",
                 "set `TMPDIR` to another one"};
  }
  std::random_device random;
  for (int attempt = 0; attempt < 16; ++attempt) {
    const fs::path folder = parent / fmt::format("vramlint-{:08x}{:08x}", random(), random());
    if (fs::create_directory(folder, failed)) {
      fs::permissions(folder, fs::perms::owner_all, failed);
      return folder;
    }
  }
  return Error{parent.string(), 0, "no folder can be made here: " + failed.message(),
               "set `TMPDIR` to one that can be written"};
}

}  // namespace

Scratch::Scratch(fs::path folder, bool is_kept) : folder_(std::move(folder)), is_kept_(is_kept) {}

Scratch::Scratch(Scratch&& other) noexcept
    : folder_(std::exchange(other.folder_, {})), is_kept_(other.is_kept_) {}

Scratch::~Scratch() {
  std::error_code ignored;
  if (!folder_.empty() && !is_kept_) fs::remove_all(folder_, ignored);
}

Result<Scratch> Scratch::make(const std::string& keep) {
  if (keep.empty()) {
    Result<fs::path> folder = temporary_folder();
    if (!folder) return folder.error();
    return Scratch(std::move(folder).value(), false);
  }
  std::error_code failed;
  const fs::path folder = fs::absolute(keep, failed);
  if (parts_path(folder)) {
    return Error{keep, 0, "`PYTHONPATH` can't name a folder with `:` in it",
                 "name another one with `--keep`"};
  }
  fs::create_directories(folder, failed);
  if (!fs::is_directory(folder)) {
    return Error{keep, 0, "this folder can't be made: " + failed.message(),
                 "name another one with `--keep`"};
  }
  if (!fs::is_empty(folder, failed) || failed) {
    return Error{keep, 0, "this folder is not empty", "name a new one with `--keep`"};
  }
  return Scratch(folder, true);
}

bool write_text(const fs::path& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  return out.good();
}

std::string read_bytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string read_end(const fs::path& path, std::size_t most_bytes) {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  if (failed) return {};
  std::ifstream in(path, std::ios::binary);
  const bool is_cut = size > most_bytes;
  if (is_cut) in.seekg(static_cast<std::streamoff>(size - most_bytes));
  std::string text(static_cast<std::size_t>(std::min<std::uintmax_t>(size, most_bytes)), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  const std::size_t line = text.find('\n');
  return is_cut && line != std::string::npos ? text.substr(line + 1) : text;
}

}  // namespace vramlint::validate
