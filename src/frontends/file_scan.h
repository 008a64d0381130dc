// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "prefilter/words.h"
#include "text/source.h"

namespace vramlint::frontends {

/// Words that tell together; the finding stands where the first of them does.
struct Together {
  prefilter::Marks words;
  uint32_t first = 0;
  bool in_tests = true;  ///< whether files of tests count

  bool operator==(const Together&) const = default;
};

/// What a file has to have: one of `anywhere`, or all words of one of `own`.
struct Needs {
  prefilter::Marks anywhere;
  std::vector<Together> own;
};

/// What the bytes of one Python file say by themselves.
struct FileScan {
  struct Import {
    uint32_t level = 0;  ///< leading dots
    std::string module;
    std::string name;    ///< imported from it
    uint32_t bound = 0;  ///< number of the name that the file has for it; 0 without one
  };

  prefilter::Marks own;         ///< first words that tell of this file alone
  std::vector<uint32_t> words;  ///< where those end that tell anywhere, in ascending order
  std::vector<Import> imports;
  bool computes_imports = false;  ///< imports something by a name that is not written there
};

FileScan scan_file(std::string_view path, const text::Source& source,
                   const prefilter::WordSet& words, const Needs& needs);

}  // namespace vramlint::frontends
