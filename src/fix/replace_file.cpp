// SPDX-License-Identifier: MIT
#include "fix/replace_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "support/paths.h"
#include "support/system.h"
#include "text/source.h"

namespace vramlint::fix {

namespace {

std::string reason(int code) { return std::strerror(code); }

/// A new file beside the one that it will replace; removed again unless it took its place.
class NewFile {
 public:
  explicit NewFile(const std::string& target)
      : path_(joined(parent_of(target), ".vramlint-XXXXXX")),
        descriptor_(::mkstemp(path_.data())),
        exists_(descriptor_ >= 0) {}

  ~NewFile() {
    if (!exists_) return;
    close_file();
    if (!in_place_) ::unlink(path_.c_str());
  }

  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  bool exists() const { return exists_; }

  bool write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

  bool looks_like(const struct stat& status) const {
    return take_owner_and_mode(descriptor_, status);
  }

  bool take_place_of(const std::string& target) {
    const bool flushed = flush_file(descriptor_);
    close_file();
    in_place_ = flushed && rename_over(path_, target);
    return in_place_;
  }

 private:
  void close_file() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

  std::string path_;
  int descriptor_;
  bool exists_;
  bool in_place_ = false;
};

}  // namespace

std::optional<std::string> why_not_writable(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return "cannot be fixed: " + reason(errno);
  if (!S_ISREG(status.st_mode)) return "cannot be fixed: it is no regular file";
  // Who runs as root may write everything, and still means what the mode says.
  const bool nobody_writes = (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
  if (nobody_writes || ::access(path.c_str(), W_OK) != 0) return "cannot be fixed: it is read-only";
  return std::nullopt;
}

std::optional<std::string> replace_file(const std::string& path, std::string_view expected,
                                        std::string_view text) {
  if (std::optional<std::string> why = why_not_writable(path)) return why;
  const std::string target = real_path(path);
  struct stat status {};
  if (target.empty() || ::stat(target.c_str(), &status) != 0)
    return "cannot be fixed: " + reason(errno);
  NewFile file(target);
  if (!file.exists()) return "cannot be fixed: " + reason(errno);
  if (!file.write(text) || !file.looks_like(status)) return "cannot be fixed: " + reason(errno);
  const Result<std::string> now = text::read_file(target, UINT64_MAX);
  if (!now) return "cannot be fixed: " + now.error().message;
  if (now.value() != expected) return "is not fixed: it has changed since it was read";
  if (!file.take_place_of(target)) return "cannot be fixed: " + reason(errno);
  flush_folder(parent_of(target));
  return std::nullopt;
}

}  // namespace vramlint::fix
