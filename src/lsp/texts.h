// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>

#include "support/result.h"
#include "text/files.h"

namespace vramlint::lsp {

/// All texts by absolute path: what the editor holds, in front of the disk. A file is read again
/// when its size or time on the disk has changed. For one thread.
class Texts {
 public:
  explicit Texts(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  /// From here on the path has this text, whatever the disk says.
  void hold(std::shared_ptr<const text::Source> source);
  /// The disk counts again.
  void let_go(const std::string& path) { held_.erase(path); }

  bool is_file(const std::string& path) const;
  bool is_folder(const std::string& path) const;
  Result<std::shared_ptr<const text::Source>> open(const std::string& path);

  /// Forgets what was read from the disk and nobody else holds.
  void shrink();

 private:
  /// By what a changed file is known.
  struct State {
    uint64_t size = 0;
    std::time_t seconds = 0;
    long nanoseconds = 0;
    uint64_t inode = 0;

    bool operator==(const State&) const = default;
  };
  struct OnDisk {
    State state;
    std::shared_ptr<const text::Source> source;
  };

  bool holds_below(const std::string& folder) const;

  uint64_t max_bytes_;
  std::map<std::string, std::shared_ptr<const text::Source>, std::less<>> held_;
  std::unordered_map<std::string, OnDisk> disk_;
};

/// The texts as one analysis sees them: paths count from a folder, the same path gives the same
/// text however long it takes, and what was asked for is remembered, so that it is known which
/// changes make the analysis old.
class Snapshot final : public text::Files {
 public:
  Snapshot(Texts& texts, std::string folder) : texts_(texts), folder_(std::move(folder)) {}

  bool is_file(const std::string& path) const override;
  bool is_folder(const std::string& path) const override;
  std::vector<std::string> names_in(const std::string& folder) const override;
  Result<std::shared_ptr<const text::Source>> open(const std::string& path) override;

  /// This analysis alone sees another text there.
  void place(const std::string& path, std::string bytes, text::Language language);

  /// Keeps what was asked for, and none of the texts.
  void release_texts() { opened_.clear(); }

  /// Absolute paths of all that was asked for, whether or not it was there.
  const std::set<std::string, std::less<>>& asked() const { return asked_; }

 private:
  std::string note(const std::string& path) const;

  Texts& texts_;
  std::string folder_;
  std::unordered_map<std::string, std::shared_ptr<const text::Source>> opened_;
  mutable std::set<std::string, std::less<>> asked_;
};

}  // namespace vramlint::lsp
