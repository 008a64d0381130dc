// SPDX-License-Identifier: MIT
#include "output/visible.h"

#include <algorithm>
#include <array>

#include "text/utf8.h"

namespace vramlint::output {

namespace {

constexpr int tab_width = 4;

std::string encode(char32_t value) {
  // Only for U+2400 and U+FFFD and their like: three bytes.
  return {static_cast<char>(0xe0 | value >> 12), static_cast<char>(0x80 | (value >> 6 & 0x3f)),
          static_cast<char>(0x80 | (value & 0x3f))};
}

struct Block {
  char32_t first;
  char32_t last;
};

template <std::size_t size>
bool lies_in(const std::array<Block, size>& blocks, char32_t value) {
  return std::ranges::any_of(
      blocks, [&](Block block) { return block.first <= value && value <= block.last; });
}

/// Combining marks, joiners, variation selectors.
constexpr std::array<Block, 6> no_cell{{{0x300, 0x36f},
                                        {0x200b, 0x200d},
                                        {0x20d0, 0x20f0},
                                        {0xfe00, 0xfe0f},
                                        {0xfe20, 0xfe2f},
                                        {0xe0100, 0xe01ef}}};

/// East Asian wide and full-width characters and pictures (Unicode Standard Annex 11, its large
/// blocks).
constexpr std::array<Block, 9> two_cells{{{0x1100, 0x115f},
                                          {0x2e80, 0x303e},
                                          {0x3041, 0xa4cf},
                                          {0xac00, 0xd7a3},
                                          {0xf900, 0xfaff},
                                          {0xfe30, 0xfe6f},
                                          {0xff00, 0xff60},
                                          {0x1f300, 0x1faff},
                                          {0x20000, 0x3fffd}}};

/// Direction marks can make a line read as another program than it is.
constexpr std::array<Block, 4> steering{
    {{0x80, 0x9f}, {0x200e, 0x200f}, {0x202a, 0x202e}, {0x2066, 0x2069}}};

}  // namespace

Glyph next_glyph(std::string_view text, int cell) {
  const text::CodePoint point = text::first_code_point(text);
  if (!point.valid || lies_in(steering, point.value)) return {encode(0xfffd), 1, point.bytes};
  if (point.value == '\t') {
    const int width = tab_width - cell % tab_width;
    return {std::string(static_cast<std::size_t>(width), ' '), width, 1};
  }
  if (point.value < 0x20) return {encode(0x2400 + point.value), 1, 1};
  if (point.value == 0x7f) return {encode(0x2421), 1, 1};
  Glyph glyph{std::string(text.substr(0, point.bytes)), 1, point.bytes};
  if (lies_in(no_cell, point.value)) glyph.width = 0;
  if (lies_in(two_cells, point.value)) glyph.width = 2;
  return glyph;
}

std::string visible(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Glyph glyph = next_glyph(text, 0);
    shown += glyph.text;
    text.remove_prefix(glyph.bytes);
  }
  return shown;
}

}  // namespace vramlint::output
