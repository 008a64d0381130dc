// SPDX-License-Identifier: MIT
#include "cli/discover.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/git_files.h"
#include "support/paths.h"
#include "support/system.h"
#include "text/source.h"

namespace vramlint::cli {

namespace {

namespace fs = std::filesystem;

/// Jupyter keeps older states of notebooks in the last one.
constexpr std::array<std::string_view, 4> never_entered{".git", "node_modules", "__pycache__",
                                                        ".ipynb_checkpoints"};

bool is_never_entered(std::string_view name) {
  return std::ranges::find(never_entered, name) != never_entered.end();
}

/// The first bytes of a file whose name says nothing; fewer where it has no more.
std::string first_bytes(const std::string& path, std::size_t count) {
  const int descriptor = open_for_reading(path);
  if (descriptor < 0) return {};
  std::string bytes(count, '\0');
  const ssize_t got = ::read(descriptor, bytes.data(), bytes.size());
  ::close(descriptor);
  bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return bytes;
}

bool is_regular(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// A language that we read, and a file that can be read. The name is asked first: it spares most
/// files of a repository a look at the disk.
bool is_linted(const std::string& path, bool known_regular = false) {
  using text::Language;
  if (text::language_of(path, {}) != Language::other) return known_regular || is_regular(path);
  const std::size_t telling = text::telling_bytes(path);
  if (telling == 0 || !(known_regular || is_regular(path))) return false;
  return text::language_of(path, first_bytes(path, telling)) != Language::other;
}

class Walk {
 public:
  Walk(const Excluded& excluded, Discovery& found)
      : excluded_(excluded), files_(found.files), errors_(found.errors) {}

  void run(const std::string& folder) {
    pending_.push_back(folder);
    while (!pending_.empty()) {
      const std::string next = std::move(pending_.back());
      pending_.pop_back();
      if (!take_git(next)) take_folder(next);
    }
  }

 private:
  bool take_git(const std::string& folder) {
    // Below a folder that git did not answer for, it answers for repositories only.
    if (is_below_plain(folder) && !holds_repository(folder)) return false;
    std::optional<GitFiles> listed = git_files(folder);
    if (!listed) {
      plain_.push_back(folder);
      return false;
    }
    std::set<std::string, std::less<>> environments;
    for (const diagnostics::FileError& unreadable : listed->unreadable) {
      const std::string path = joined(folder, unreadable.file);
      if (!excluded_(path)) errors_.push_back({path, unreadable.message});
    }
    for (const std::string& file : listed->files) {
      if (base_name(file) == "pyvenv.cfg") environments.insert(parent_of(file));
    }
    for (std::string& file : listed->files) {
      while (!file.empty() && file.back() == '/') file.pop_back();
      if (lies_in_skipped(file, environments)) continue;
      const std::string path = joined(folder, file);
      if (is_linted(path)) {
        if (!excluded_(path)) files_.push_back(path);
      } else if (is_nested_repository(path)) {
        pending_.push_back(path);
      }
    }
    return true;
  }

  bool is_below_plain(const std::string& folder) const {
    return std::ranges::any_of(plain_, [&](const std::string& plain) {
      return plain == "." || folder.compare(0, plain.size() + 1, plain + "/") == 0;
    });
  }

  static bool lies_in_skipped(const std::string& file,
                              const std::set<std::string, std::less<>>& environments) {
    if (environments.contains(".")) return true;
    std::size_t begin = 0;
    std::size_t slash = file.find('/');
    while (slash != std::string::npos) {
      const std::string_view path = file;
      if (is_never_entered(path.substr(begin, slash - begin))) return true;
      if (environments.contains(path.substr(0, slash))) return true;
      begin = slash + 1;
      slash = file.find('/', begin);
    }
    return false;
  }

  /// A submodule or a repository inside the repository: git names the folder alone.
  bool is_nested_repository(const std::string& path) const {
    return is_real_folder(path) && holds_repository(path) && !excluded_(path);
  }

  static bool holds_repository(const std::string& folder) {
    struct stat status {};
    return ::stat((folder + "/.git").c_str(), &status) == 0;
  }

  void take_folder(const std::string& folder) {
    std::error_code failed;
    std::vector<std::string> folders;
    const std::size_t files_before = files_.size();
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
      const std::string name = at->path().filename().string();
      if (name == "pyvenv.cfg") {
        files_.resize(files_before);
        return;
      }
      const std::string path = joined(folder, name);
      // What the folder says of its entries spares asking the disk. A link to a folder is not
      // followed: it could lead back here.
      std::error_code unknown;
      const bool is_link = at->is_symlink(unknown);
      if (!is_link && at->is_directory(unknown)) {
        if (!is_never_entered(name) && !excluded_(path)) folders.push_back(path);
        continue;
      }
      const bool known_regular = !is_link && at->is_regular_file(unknown);
      if (is_linted(path, known_regular) && !excluded_(path)) files_.push_back(path);
    }
    if (failed) errors_.push_back({folder, failed.message()});
    std::move(folders.begin(), folders.end(), std::back_inserter(pending_));
  }

  const Excluded& excluded_;
  std::vector<std::string>& files_;
  std::vector<diagnostics::FileError>& errors_;
  std::vector<std::string> pending_;
  std::vector<std::string> plain_;  ///< folders that git had no answer for
};

}  // namespace

Discovery discover(const std::vector<std::string>& paths, const std::string& working_directory,
                   const Excluded& excluded, bool force_exclude) {
  Discovery found;
  for (const std::string& given : paths) {
    const std::string path = shown_path(given, working_directory);
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
      found.errors.push_back({path, std::strerror(errno)});
    } else if (S_ISDIR(status.st_mode)) {
      Walk(excluded, found).run(path);
    } else if (!S_ISREG(status.st_mode)) {
      found.errors.push_back({path, "neither a file nor a folder"});
    } else if (!(force_exclude && excluded(path)) && is_linted(path)) {
      found.files.push_back(path);
    }
  }
  for (std::string& file : found.files) {
    if (file.starts_with("../")) file = shown_path(file, working_directory);
  }
  std::ranges::sort(found.files);
  found.files.erase(std::unique(found.files.begin(), found.files.end()), found.files.end());
  return found;
}

}  // namespace vramlint::cli
