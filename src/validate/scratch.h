// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "support/result.h"

namespace vramlint::validate {

/// A folder for what runs need and leave. It goes with this object, unless it is to be kept.
class Scratch {
 public:
  /// In `keep` where that is given (it must be new or empty), else among the temporary files.
  static Result<Scratch> make(const std::string& keep);

  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  const std::filesystem::path& folder() const { return folder_; }
  bool is_kept() const { return is_kept_; }

 private:
  Scratch(std::filesystem::path folder, bool is_kept);

  std::filesystem::path folder_;
  bool is_kept_ = false;
};

/// False where it can't be written whole.
bool write_text(const std::filesystem::path& path, std::string_view text);
/// The whole file; empty for one that can't be read.
std::string read_bytes(const std::filesystem::path& path);
/// The end of a file, from the beginning of a line.
std::string read_end(const std::filesystem::path& path, std::size_t most_bytes);

}  // namespace vramlint::validate
