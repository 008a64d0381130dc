// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/span.h"

namespace vramlint::syntax {

/// A definition without the long bodies of the functions in it: a class that is made runs none of
/// its methods, and most of them nobody ever runs.
struct Shortened {
  /// Of the same length, with `...` and blanks in place of each body.
  std::string text;
  /// The functions whose bodies are gone, from `def` or `async` on, in ascending order.
  std::vector<text::Span> functions = {};
};

/// Takes the bodies of the methods of a class, or of a function outside all others. Nested
/// definitions go with the body that they stand in.
Shortened without_bodies(std::string_view definition);

}  // namespace vramlint::syntax
