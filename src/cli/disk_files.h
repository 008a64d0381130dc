// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "text/files.h"

namespace vramlint::cli {

/// The disk, read once: what was seen first stays for as long as somebody holds or may need it, so
/// that a file that changes during the run is judged by one state of it. Shared by the workers; the
/// cache is cut into shards with a lock each.
class DiskFiles final : public text::Files {
 public:
  explicit DiskFiles(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  bool is_file(const std::string& path) const override;
  bool is_folder(const std::string& path) const override;
  std::vector<std::string> names_in(const std::string& folder) const override;
  Result<std::shared_ptr<const text::Source>> open(const std::string& path) override;

  /// Gives a path these bytes whatever the disk holds: standard input under a file's name.
  void place(const std::string& path, std::string bytes, text::Language language);

  /// Lets go of a file that nobody holds: most files of a repository say nothing, and keeping them
  /// would cost as much memory as the repository has bytes.
  void release(const std::string& path);

 private:
  enum class Kind : uint8_t { unknown, missing, file, folder };

  struct Entry {
    Kind kind = Kind::unknown;
    std::shared_ptr<const text::Source> source;
    bool placed = false;
    std::string error;  ///< why `source` is null although it was asked for
  };

  struct Shard {
    std::mutex lock;
    std::unordered_map<std::string, Entry> entries;
  };

  Shard& shard_of(const std::string& path) const;
  Kind kind_of(const std::string& path) const;

  uint64_t max_bytes_;
  mutable std::array<Shard, 64> shards_;
};

}  // namespace vramlint::cli
