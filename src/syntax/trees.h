// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "syntax/tree.h"

namespace vramlint::syntax {

/// The trees of texts that were parsed before. While somebody types, a file is analyzed again and
/// again, and all of its blocks but one are what they were; parsing is most of the work. For one
/// thread.
class Trees {
 public:
  std::shared_ptr<const Tree> of(std::string_view text);

  /// To be called between analyses. When more is kept than the last one had use for, by far, what
  /// it had no use for goes.
  void forget_old();

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  struct Kept {
    std::shared_ptr<const Tree> tree;
    uint64_t round = 0;  ///< in which it was last asked for
  };

  std::unordered_map<std::string, Kept, Hash, std::equal_to<>> trees_;
  std::size_t bytes_ = 0;  ///< of all texts, …
  std::size_t used_ = 0;   ///< … and of those asked for in this round
  uint64_t round_ = 1;
};

}  // namespace vramlint::syntax
