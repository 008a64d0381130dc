// SPDX-License-Identifier: MIT
#include "text/cells.h"

#include <algorithm>

namespace vramlint::text {

const Cell* cell_at(const Cells& cells, uint32_t offset) {
  const auto after = std::ranges::upper_bound(cells.all, offset, {},
                                              [](const Cell& cell) { return cell.span.begin; });
  if (after == cells.all.begin()) return cells.all.empty() ? nullptr : &cells.all.front();
  return &*(after - 1);
}

uint32_t stored_at(const Cells& cells, uint32_t offset) {
  const auto after = std::ranges::upper_bound(cells.pieces, offset, {}, &StoredPiece::begin);
  if (after == cells.pieces.begin()) return 0;
  const StoredPiece& piece = *(after - 1);
  const uint32_t into = offset - piece.begin;
  if (into >= piece.size) return piece.stored + piece.stored_size;
  return piece.stored + (piece.size == piece.stored_size ? into : 0);
}

}  // namespace vramlint::text
