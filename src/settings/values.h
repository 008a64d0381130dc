// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "knowledge/allocator_rows.h"
#include "settings/numbers.h"

namespace vramlint::settings {

/// Divisions for sizes from 1 MiB (`divisions[0]`) to 32 GiB and more, doubling.
struct RoundingDivisions {
  std::array<uint64_t, 16> divisions{};
  bool operator==(const RoundingDivisions&) const = default;
};

/// Class names with their reserves, both as text.
using ReserveClasses = std::vector<std::pair<std::string, std::string>>;

/// What PyTorch then has. Whole numbers are signed, as its own read-back shows them.
using SettingValue =
    std::variant<bool, int64_t, double, std::string, RoundingDivisions, ReserveClasses>;

enum class ValueTrouble : uint8_t {
  none,
  not_boolean,
  unknown_word,
  no_number,
  number_too_large,  ///< for the function that reads it
  below_minimum,
  above_maximum,
  not_power_of_two,
  ignored,  ///< PyTorch warns and goes on without it
};

/// One value as the release reads it. The value is there even where a bound refuses it.
struct ValueReading {
  ValueTrouble trouble = ValueTrouble::none;
  SettingValue value = false;
  uint64_t raw = 0;  ///< a whole number after the conversion to `size_t`
  bool negative = false;
  std::size_t used = 0;  ///< bytes that made the number
  double minimum = 0;    ///< the bounds that were in force
  bool above_minimum = false;
  double maximum = 0;
  bool below_maximum = false;
};

/// What a value is read under.
struct ReadingContext {
  const knowledge::AllocatorGrammarRow& grammar;
  knowledge::Version torch;
  knowledge::Platform platform;
};

/// A value that is one token: everything but lists. `minimum_mb` is what the key's `minimum_key` is
/// set to; 0 when it is not set.
ValueReading read_value(const knowledge::AllocatorKeyRow& key, std::string_view text,
                        const ReadingContext& context, uint64_t minimum_mb = 0);

/// The bound that holds for the release; null when there is none.
const knowledge::AllocatorBound* bound_of(const knowledge::AllocatorKeyRow& key,
                                          knowledge::Version torch);
/// A size in MiB as PyTorch keeps it: what does not fit in bytes is cut to the largest that does.
uint64_t kept_size_mb(uint64_t size_mb);
/// Whether the value is the one in force when the key is not set.
bool is_default(const knowledge::AllocatorKeyRow& key, const SettingValue& value);
/// The number in a value; 0 for values that are none.
double number_of(const SettingValue& value);

}  // namespace vramlint::settings
