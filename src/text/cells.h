// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/span.h"

// A file whose text stands in cells, in a notation of its own between them. Whoever reads that
// notation fills this in; from then on the cells are one text, and each byte of it knows where in
// the file it stands.

namespace vramlint::text {

/// Bytes of the text that stand together in the file: as they are, or as one escape sequence.
struct StoredPiece {
  uint32_t begin = 0;        ///< in the text
  uint32_t stored = 0;       ///< in the file
  uint32_t size = 0;         ///< in the text
  uint32_t stored_size = 0;  ///< 0 for the line end that the file doesn't have
};

struct Cell {
  int number = 0;  ///< from 1, of all cells of the file
  Span span;       ///< in the text, without the line end that sets it apart from the next
  Span stored;     ///< in the file, with quotes or brackets
  bool is_list = false;
  std::string separator;  ///< between two items of a list
};

struct Cells {
  std::string text;
  std::string program;  ///< empty when the text is the program
  std::vector<Cell> all;
  std::vector<StoredPiece> pieces;  ///< without gaps
  std::string fault;                ///< why there is nothing
};

using Unpack = Cells (*)(std::string_view stored);

/// A position in a cell, or in a file without cells.
struct CellPosition {
  std::optional<int> cell;
  Position position;
};

/// The cell that holds the byte; null when there are none. The end of a cell belongs to it.
const Cell* cell_at(const Cells& cells, uint32_t offset);

/// Where a byte of the text stands in the file. At a seam that is where the later piece begins.
uint32_t stored_at(const Cells& cells, uint32_t offset);

}  // namespace vramlint::text
