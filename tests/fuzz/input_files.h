// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "text/files.h"

namespace vramlint::fuzz {

/// Python files out of an input, which form feeds cut: each of the paths gets a piece.
class InputFiles final : public text::Files {
 public:
  InputFiles(std::string_view bytes, std::span<const char* const> paths) {
    for (const char* path : paths) {
      const size_t cut = std::min(bytes.find('\f'), bytes.size());
      sources_[path] = std::make_shared<const text::Source>(path, std::string(bytes.substr(0, cut)),
                                                            text::Language::python);
      bytes.remove_prefix(std::min(cut + 1, bytes.size()));
    }
  }

  bool is_file(const std::string& path) const override { return sources_.contains(path); }

  bool is_folder(const std::string& path) const override {
    const auto below = sources_.lower_bound(path + "/");
    return path == "." || (below != sources_.end() && below->first.starts_with(path + "/"));
  }

  Result<std::shared_ptr<const text::Source>> open(const std::string& path) override {
    const auto found = sources_.find(path);
    if (found != sources_.end()) return found->second;
    return Error{path, 0, "there is no such file", ""};
  }

 private:
  std::map<std::string, std::shared_ptr<const text::Source>> sources_;
};

}  // namespace vramlint::fuzz
