// SPDX-License-Identifier: MIT
#include "cli/disk_files.h"

#include <sys/stat.h>

#include <functional>
#include <utility>

#include "frontends/notebook.h"

namespace vramlint::cli {

DiskFiles::Shard& DiskFiles::shard_of(const std::string& path) const {
  return shards_[std::hash<std::string>{}(path) % shards_.size()];
}

DiskFiles::Kind DiskFiles::kind_of(const std::string& path) const {
  Shard& shard = shard_of(path);
  const std::lock_guard<std::mutex> guard(shard.lock);
  Entry& entry = shard.entries[path];
  if (entry.kind != Kind::unknown) return entry.kind;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return entry.kind = Kind::missing;
  if (S_ISREG(status.st_mode)) return entry.kind = Kind::file;
  return entry.kind = S_ISDIR(status.st_mode) ? Kind::folder : Kind::missing;
}

bool DiskFiles::is_file(const std::string& path) const { return kind_of(path) == Kind::file; }

bool DiskFiles::is_folder(const std::string& path) const { return kind_of(path) == Kind::folder; }

std::vector<std::string> DiskFiles::names_in(const std::string& folder) const {
  return text::names_in_folder(folder);
}

Result<std::shared_ptr<const text::Source>> DiskFiles::open(const std::string& path) {
  Shard& shard = shard_of(path);
  // Held while reading, so that two workers never read the same file into two objects.
  const std::lock_guard<std::mutex> guard(shard.lock);
  Entry& entry = shard.entries[path];
  if (entry.source == nullptr && entry.error.empty()) {
    // Most of a large notebook is outputs, which nobody looks into.
    const bool is_notebook = text::language_of(path, {}) == text::Language::notebook;
    Result<std::string> bytes = text::read_file(path, is_notebook ? 8 * max_bytes_ : max_bytes_);
    if (bytes) {
      const text::Language language = text::language_of(path, bytes.value());
      entry.source = frontends::source_of(path, std::move(bytes).value(), language);
      entry.kind = Kind::file;
    } else {
      entry.error = bytes.error().message;
    }
  }
  if (entry.source != nullptr) return entry.source;
  Error error;
  error.path = path;
  error.message = entry.error;
  return error;
}

void DiskFiles::place(const std::string& path, std::string bytes, text::Language language) {
  Shard& shard = shard_of(path);
  const std::lock_guard<std::mutex> guard(shard.lock);
  Entry& entry = shard.entries[path];
  entry.kind = Kind::file;
  entry.placed = true;
  entry.source = frontends::source_of(path, std::move(bytes), language);
}

void DiskFiles::release(const std::string& path) {
  Shard& shard = shard_of(path);
  const std::lock_guard<std::mutex> guard(shard.lock);
  Entry& entry = shard.entries[path];
  if (!entry.placed && entry.source.use_count() == 1) entry.source.reset();
}

}  // namespace vramlint::cli
