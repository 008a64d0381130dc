// SPDX-License-Identifier: MIT
//
// Numbers the way `std::stoi`, `std::stoull`, `std::stod` and a stream extraction read them,
// without their exceptions. PyTorch's verdict on a value is theirs first, so their habits (leading
// whitespace, a sign, a wrapped minus, hexadecimal floats, underflow as an error) are kept to the
// letter. Refuses nothing itself and knows no key.
#include "settings/numbers.h"

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace vramlint::settings {

namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

struct Digits {
  uint64_t magnitude = 0;
  bool overflow = false;
  bool negative = false;
  std::size_t used = 0;  ///< 0 when there are no digits
};

Digits read_digits(std::string_view text) {
  Digits out;
  std::size_t at = 0;
  while (at < text.size() && is_space(text[at])) ++at;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) out.negative = text[at++] == '-';
  const std::size_t first = at;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    const auto digit = static_cast<uint64_t>(text[at] - '0');
    constexpr uint64_t largest = std::numeric_limits<uint64_t>::max();
    out.overflow = out.overflow || out.magnitude > (largest - digit) / 10;
    out.magnitude = out.magnitude * 10 + digit;
  }
  out.used = at == first ? 0 : at;
  return out;
}

/// Characters that a stream takes for a decimal number: it stops at the first other one.
std::size_t streamed_prefix(std::string_view text) {
  std::size_t at = 0;
  bool point = false;
  bool exponent = false;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  const std::size_t first = at;
  for (; at < text.size(); ++at) {
    const char letter = text[at];
    if (is_digit(letter)) continue;
    if (letter == '.' && !point && !exponent) {
      point = true;
    } else if ((letter == 'e' || letter == 'E') && !exponent && at > first) {
      exponent = true;
      const bool sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+');
      if (sign) ++at;
    } else {
      break;
    }
  }
  return at;
}

}  // namespace

bool is_space(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

bool is_power_of_two(uint64_t value) { return std::has_single_bit(value); }

uint64_t largest_integer(knowledge::AllocatorInteger reader) {
  switch (reader) {
    case knowledge::AllocatorInteger::stoi: return std::numeric_limits<int32_t>::max();
    case knowledge::AllocatorInteger::stoull: return std::numeric_limits<uint64_t>::max();
  }
  return 0;
}

IntegerReading read_integer(std::string_view text, knowledge::AllocatorInteger reader) {
  const Digits digits = read_digits(text);
  if (digits.used == 0) return {};
  const uint64_t room = reader == knowledge::AllocatorInteger::stoi && digits.negative ? 1 : 0;
  IntegerReading out;
  out.negative = digits.negative && digits.magnitude != 0;
  out.used = digits.used;
  const bool fits = !digits.overflow && digits.magnitude <= largest_integer(reader) + room;
  out.trouble = fits ? NumberTrouble::none : NumberTrouble::too_large;
  out.value = digits.negative ? 0 - digits.magnitude : digits.magnitude;
  return out;
}

RealReading read_real(std::string_view text) {
  const std::string terminated(text);
  char* end = nullptr;
  const int before = errno;
  errno = 0;
  RealReading out;
  out.value = std::strtod(terminated.c_str(), &end);
  const bool out_of_range = errno == ERANGE;
  errno = before;
  out.used = static_cast<std::size_t>(end - terminated.c_str());
  if (out.used == 0) return out;
  out.trouble = out_of_range ? NumberTrouble::too_large : NumberTrouble::none;
  return out;
}

std::optional<ReserveReading> read_reserve(std::string_view text) {
  ReserveReading out;
  out.gibibytes = !text.empty() && (text.back() == 'G' || text.back() == 'g');
  if (out.gibibytes) text.remove_suffix(1);
  if (text.empty() || streamed_prefix(text) != text.size()) return std::nullopt;
  const RealReading real = read_real(text);
  if (real.used != text.size() || !std::isfinite(real.value) || real.value <= 0)
    return std::nullopt;
  out.value = real.value;
  return out;
}

}  // namespace vramlint::settings
