// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "frontends/project.h"
#include "prefilter/words.h"

namespace vramlint::frontends {

/// Whether a program can have a finding at all: whether its entry, or any module of the project
/// that it may import, has one of the words that findings need. Reads bytes, parses nothing.
class Closure {
 public:
  Closure(Project& project, text::Files& files, const prefilter::WordSet& words)
      : project_(project), files_(files), words_(words) {}

  enum class Reach : uint8_t {
    nothing,   ///< no word anywhere
    imported,  ///< only in modules that it may import
    entry,     ///< in the entry itself
  };
  Reach reach_of(const std::string& entry, const std::string& root);

 private:
  enum class Known : uint8_t { open, clean, found };
  struct File {
    bool has_word = false;
    bool has_own = false;  ///< a word that tells of this file alone
    Known known = Known::open;
    std::vector<std::string> imports;  ///< paths
  };

  File& file_at(const std::string& path, const std::string& root);
  void add_import(const std::string& path, const std::string& root, uint32_t level,
                  std::string_view module, std::string_view name, File& file);
  void add_modules(const std::string& base, std::string_view dotted, std::string_view name,
                   File& file);

  Project& project_;
  text::Files& files_;
  const prefilter::WordSet& words_;
  std::unordered_map<std::string, File> known_;
};

}  // namespace vramlint::frontends
