// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "output/paint.h"
#include "text/source.h"

namespace vramlint::output {

/// A few lines of a source as a terminal shows them, the first line of a range marked.
struct Frame {
  struct Line {
    uint32_t number = 0;
    std::string text;
    std::string marks;  ///< blanks and marks below the text; empty below unmarked lines
  };
  std::vector<Line> lines;  ///< empty for a place that the source doesn't have
};

/// How a range is marked and how much is shown around it.
struct FrameShape {
  char mark = '^';
  uint32_t context = 2;  ///< lines before and after
};

/// Long lines are cut around the range; the time that this takes depends on what is shown, not on
/// the length of the line.
/// Of a notebook, only lines of the cell are shown.
Frame frame_of(const text::Source& source, std::optional<int> cell, const diagnostics::Range& range,
               FrameShape shape);

/// Digits of the largest line number.
std::size_t gutter_of(const Frame& frame);

/// The lines behind a gutter of that width, the label behind the marks.
std::string rendered(const Frame& frame, std::size_t gutter, std::string_view label, Paint paint,
                     Style style);

}  // namespace vramlint::output
