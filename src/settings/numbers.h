// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "knowledge/allocator_rows.h"

namespace vramlint::settings {

/// What the standard library's number readers say about a text. They read as much of it as makes a
/// number and drop the rest without a word, which is why `max_split_size_mb:8GB` means 8.
enum class NumberTrouble : uint8_t { none, no_number, too_large };

struct IntegerReading {
  NumberTrouble trouble = NumberTrouble::no_number;
  uint64_t value = 0;  ///< after the conversion to `size_t`: -1 is 2^64 - 1
  bool negative = false;
  std::size_t used = 0;  ///< bytes that made the number
};

struct RealReading {
  NumberTrouble trouble = NumberTrouble::no_number;
  double value = 0;
  std::size_t used = 0;
};

IntegerReading read_integer(std::string_view text, knowledge::AllocatorInteger reader);
RealReading read_real(std::string_view text);

/// The largest number that the reader takes.
uint64_t largest_integer(knowledge::AllocatorInteger reader);

/// A reserve as `0.5` or `40G`; nothing for a text that PyTorch warns about and ignores. This
/// reader takes the whole text or nothing.
struct ReserveReading {
  double value = 0;
  bool gibibytes = false;
};
std::optional<ReserveReading> read_reserve(std::string_view text);

bool is_power_of_two(uint64_t value);
/// `isspace` of the C locale.
bool is_space(char letter);

}  // namespace vramlint::settings
