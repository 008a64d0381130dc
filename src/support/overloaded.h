// SPDX-License-Identifier: MIT
#pragma once

namespace vramlint {

/// One visitor for `std::visit` from lambdas, one for each alternative.
template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

// clang 14 deduces no aggregate by itself.
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

}  // namespace vramlint
