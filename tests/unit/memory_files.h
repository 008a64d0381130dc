// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "frontends/notebook.h"
#include "text/files.h"

namespace vramlint {

/// Files that exist in a test only. Folders are what the paths say.
class MemoryFiles final : public text::Files {
 public:
  MemoryFiles(std::initializer_list<std::pair<std::string, std::string>> files) {
    for (const auto& [path, bytes] : files) add(path, bytes);
  }

  void add(const std::string& path, const std::string& bytes) {
    sources_[path] = frontends::source_of(path, bytes, text::language_of(path, bytes));
  }

  bool is_file(const std::string& path) const override { return sources_.contains(path); }

  bool is_folder(const std::string& path) const override {
    const auto below = sources_.lower_bound(path + "/");
    return path == "." || (below != sources_.end() && below->first.starts_with(path + "/"));
  }

  Result<std::shared_ptr<const text::Source>> open(const std::string& path) override {
    ++opened_[path];
    const auto found = sources_.find(path);
    if (found != sources_.end()) return found->second;
    return Error{path, 0, "there is no such file", ""};
  }

  /// How often a path was asked for.
  int times_opened(const std::string& path) const {
    const auto found = opened_.find(path);
    return found == opened_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, std::shared_ptr<const text::Source>> sources_;
  std::map<std::string, int> opened_;
};

}  // namespace vramlint
