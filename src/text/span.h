// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>

namespace vramlint::text {

/// Half-open range of bytes in one source.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;

  uint32_t size() const { return end - begin; }
  bool contains(Span other) const { return begin <= other.begin && other.end <= end; }
  auto operator<=>(const Span&) const = default;
};

/// A place as people and the JSON contract count it: both from 1, columns in Unicode code points.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;

  auto operator<=>(const Position&) const = default;
};

/// Lines from 1; both ends belong to it.
struct LineRange {
  uint32_t first = 1;
  uint32_t last = 0;
};

}  // namespace vramlint::text
