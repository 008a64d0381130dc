// SPDX-License-Identifier: MIT
//
// Reads one value of an allocator string against its key's row: type, bounds of the release, legal
// words. Where PyTorch refuses, the reading says why. Lists are read where the tokens are
// (`token_reader.cpp`), since what a list is depends on the tokens around it.
#include "settings/values.h"

#include <algorithm>
#include <limits>

namespace vramlint::settings {

namespace {

using knowledge::AllocatorBound;
using knowledge::AllocatorKeyRow;
using knowledge::AllocatorValue;

constexpr uint64_t bytes_shift = 20;

ValueReading read_boolean(std::string_view text) {
  ValueReading out;
  out.value = text == "True";
  if (text != "True" && text != "False") out.trouble = ValueTrouble::not_boolean;
  return out;
}

ValueReading read_word(const AllocatorKeyRow& key, std::string_view text,
                       const ReadingContext& context) {
  ValueReading out;
  out.value = std::string(text);
  const bool rocm = context.platform == knowledge::Platform::rocm;
  const bool known = std::ranges::find(key.words, text) != key.words.end() ||
                     (rocm && std::ranges::find(key.rocm_words, text) != key.rocm_words.end());
  if (!known) out.trouble = ValueTrouble::unknown_word;
  return out;
}

ValueTrouble trouble_of(NumberTrouble trouble) {
  switch (trouble) {
    case NumberTrouble::none: return ValueTrouble::none;
    case NumberTrouble::no_number: return ValueTrouble::no_number;
    case NumberTrouble::too_large: return ValueTrouble::number_too_large;
  }
  return ValueTrouble::no_number;
}

/// A comparison with NaN is false, hence the form: what is not certainly inside is outside.
ValueTrouble outside(double value, const AllocatorBound& bound, double minimum) {
  const bool high_enough = bound.above_minimum ? value > minimum : value >= minimum;
  if (!high_enough) return ValueTrouble::below_minimum;
  const bool low_enough = bound.below_maximum ? value < bound.maximum : value <= bound.maximum;
  return low_enough ? ValueTrouble::none : ValueTrouble::above_maximum;
}

void judge_bounds(ValueReading& reading, double value, const AllocatorBound* bound,
                  uint64_t minimum_mb) {
  if (bound == nullptr || reading.trouble != ValueTrouble::none) return;
  const bool other_decides = !bound->minimum_key.empty() && minimum_mb != 0;
  reading.minimum = other_decides ? static_cast<double>(minimum_mb) : bound->minimum;
  reading.above_minimum = bound->above_minimum;
  reading.maximum = bound->maximum;
  reading.below_maximum = bound->below_maximum;
  if (bound->power_of_two && !is_power_of_two(reading.raw)) {
    reading.trouble = ValueTrouble::not_power_of_two;
    return;
  }
  reading.trouble = outside(value, *bound, reading.minimum);
}

/// A size as `memory_snapshot` reads it back: bytes as a signed number. Where these are negative
/// there is no limit at all.
int64_t shown_size(uint64_t size_mb, knowledge::AllocatorReadback unit) {
  const uint64_t kept = kept_size_mb(size_mb);
  const auto bytes = static_cast<int64_t>(kept << bytes_shift);
  if (bytes >= 0) return static_cast<int64_t>(kept);
  return unit == knowledge::AllocatorReadback::signed_mb ? bytes >> bytes_shift : bytes;
}

ValueReading read_whole(const AllocatorKeyRow& key, std::string_view text,
                        const ReadingContext& context, uint64_t minimum_mb) {
  const IntegerReading integer = read_integer(text, context.grammar.integer);
  ValueReading out;
  out.trouble = trouble_of(integer.trouble);
  out.raw = integer.value;
  out.negative = integer.negative;
  out.used = integer.used;
  out.value = key.type == AllocatorValue::size_mb
                  ? shown_size(integer.value, context.grammar.unlimited_shown_in)
                  : static_cast<int64_t>(integer.value);
  judge_bounds(out, static_cast<double>(integer.value), bound_of(key, context.torch), minimum_mb);
  return out;
}

ValueReading read_fraction(const AllocatorKeyRow& key, std::string_view text,
                           const ReadingContext& context) {
  const RealReading real = read_real(text);
  ValueReading out;
  out.trouble = trouble_of(real.trouble);
  out.used = real.used;
  out.value = real.value;
  judge_bounds(out, real.value, bound_of(key, context.torch), 0);
  return out;
}

ValueReading read_one_reserve(std::string_view text) {
  ValueReading out;
  const std::optional<ReserveReading> reserve = read_reserve(text);
  if (!reserve) {
    out.trouble = ValueTrouble::ignored;
  } else if (reserve->gibibytes) {
    out.value = std::string(text);
  } else {
    out.value = reserve->value;
  }
  return out;
}

}  // namespace

ValueReading read_value(const AllocatorKeyRow& key, std::string_view text,
                        const ReadingContext& context, uint64_t minimum_mb) {
  switch (key.type) {
    case AllocatorValue::boolean: return read_boolean(text);
    case AllocatorValue::backend: return read_word(key, text, context);
    case AllocatorValue::fraction: return read_fraction(key, text, context);
    case AllocatorValue::reserve:
    case AllocatorValue::reserve_list: return read_one_reserve(text);
    case AllocatorValue::size_mb:
    case AllocatorValue::count: return read_whole(key, text, context, minimum_mb);
    case AllocatorValue::rounding: break;
  }
  ValueReading out = read_whole(key, text, context, 0);
  RoundingDivisions all;
  all.divisions.fill(out.raw);
  out.value = all;
  return out;
}

const AllocatorBound* bound_of(const AllocatorKeyRow& key, knowledge::Version torch) {
  for (const AllocatorBound& bound : key.bounds) {
    if (bound.torch.contains(torch)) return &bound;
  }
  return nullptr;
}

uint64_t kept_size_mb(uint64_t size_mb) {
  return std::min(size_mb, std::numeric_limits<uint64_t>::max() >> bytes_shift);
}

double number_of(const SettingValue& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return 0;
}

bool is_default(const AllocatorKeyRow& key, const SettingValue& value) {
  if (key.fallback.empty()) return false;
  if (const auto* flag = std::get_if<bool>(&value))
    return key.fallback == (*flag ? "True" : "False");
  if (const auto* word = std::get_if<std::string>(&value)) return key.fallback == *word;
  const bool number =
      std::holds_alternative<int64_t>(value) || std::holds_alternative<double>(value);
  const RealReading fallback = read_real(key.fallback);
  return number && fallback.used == key.fallback.size() && fallback.value == number_of(value);
}

}  // namespace vramlint::settings
