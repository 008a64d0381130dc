// SPDX-License-Identifier: MIT
#include "lsp/texts.h"

#include <sys/stat.h>

#include <string>
#include <utility>

#include "config/layers.h"
#include "frontends/notebook.h"

namespace vramlint::lsp {

namespace {

long nanoseconds_of([[maybe_unused]] const struct stat& status) {
#if defined(__linux__)
  return status.st_mtim.tv_nsec;
#else
  return 0;
#endif
}

}  // namespace

void Texts::hold(std::shared_ptr<const text::Source> source) {
  std::string path = source->path();
  held_.insert_or_assign(std::move(path), std::move(source));
}

bool Texts::is_file(const std::string& path) const {
  if (held_.contains(path)) return true;
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// A package that has not been saved yet is one already.
bool Texts::holds_below(const std::string& folder) const {
  const std::string begin = folder + "/";
  const auto first = held_.lower_bound(begin);
  return first != held_.end() && first->first.starts_with(begin);
}

bool Texts::is_folder(const std::string& path) const {
  if (holds_below(path)) return true;
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

Result<std::shared_ptr<const text::Source>> Texts::open(const std::string& path) {
  const auto held = held_.find(path);
  if (held != held_.end()) {
    if (held->second->stored().size() <= max_bytes_) return held->second;
    return Error{path, 0, "larger than " + std::to_string(max_bytes_) + " bytes", "exclude it"};
  }
  struct stat status {};
  State state;
  if (::stat(path.c_str(), &status) == 0) {
    state = {static_cast<uint64_t>(status.st_size), status.st_mtime, nanoseconds_of(status),
             static_cast<uint64_t>(status.st_ino)};
    const auto known = disk_.find(path);
    if (known != disk_.end() && known->second.state == state) return known->second.source;
  }
  Result<std::string> bytes = text::read_file(path, max_bytes_);
  if (!bytes) {
    disk_.erase(path);
    return bytes.error();
  }
  const text::Language language = text::language_of(path, bytes.value());
  std::shared_ptr<const text::Source> source =
      frontends::source_of(path, std::move(bytes).value(), language);
  disk_.insert_or_assign(path, OnDisk{state, source});
  return source;
}

void Texts::shrink() {
  std::erase_if(disk_, [](const auto& entry) { return entry.second.source.use_count() == 1; });
}

std::string Snapshot::note(const std::string& path) const {
  std::string absolute = config::absolute_path(path, folder_);
  asked_.insert(absolute);
  return absolute;
}

bool Snapshot::is_file(const std::string& path) const {
  return opened_.contains(path) || texts_.is_file(note(path));
}

bool Snapshot::is_folder(const std::string& path) const { return texts_.is_folder(note(path)); }

std::vector<std::string> Snapshot::names_in(const std::string& folder) const {
  return text::names_in_folder(note(folder));
}

Result<std::shared_ptr<const text::Source>> Snapshot::open(const std::string& path) {
  const auto known = opened_.find(path);
  if (known != opened_.end()) return known->second;
  Result<std::shared_ptr<const text::Source>> opened = texts_.open(note(path));
  if (!opened) return opened;
  // Its findings go by the path as it was asked for.
  const text::Source& found = *opened.value();
  std::shared_ptr<const text::Source> source = opened.value();
  if (found.path() != path) {
    source = frontends::source_of(path, std::string(found.stored()), found.language());
  }
  opened_.emplace(path, source);
  return source;
}

void Snapshot::place(const std::string& path, std::string bytes, text::Language language) {
  opened_.insert_or_assign(path, frontends::source_of(path, std::move(bytes), language));
}

}  // namespace vramlint::lsp
