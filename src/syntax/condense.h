// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/span.h"

namespace vramlint::syntax {

/// A definition without what costs the parser time and says nothing: descriptions, lines that hold
/// only a comment and, where asked, the long bodies of its functions.
struct Condensed {
  std::string text;
  /// Where bytes are missing before `at`, and how many up to there; in ascending order.
  struct Cut {
    uint32_t at = 0;
    uint32_t missing = 0;
  };
  std::vector<Cut> cuts = {};
  /// A function whose body is gone; `...` stands in its place.
  struct Function {
    uint32_t begin = 0;   ///< of `def` or `async`, in `text`
    text::Span original;  ///< the whole of it, in the definition
  };
  std::vector<Function> functions = {};

  /// The place in the definition of a place in `text`.
  uint32_t original(uint32_t at) const;
};

enum class Bodies : uint8_t {
  kept,
  left_out,  ///< those of a class's methods, or of a function outside all others
};

/// Definitions inside a body go with it.
Condensed condense(std::string_view definition, Bodies bodies);

}  // namespace vramlint::syntax
