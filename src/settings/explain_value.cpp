// SPDX-License-Identifier: MIT
//
// One value that PyTorch refuses, or reads as something else than is written there. Both come from
// the same reading, so that what is said here and the verdict cannot differ.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "settings/explain.h"
#include "settings/tokens.h"
#include "support/nearest_name.h"

namespace vramlint::settings {

namespace {

using knowledge::AllocatorKeyRow;
using knowledge::AllocatorValue;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& letter : out) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return out;
}

/// `0.8`, `20`: without trailing zeros.
std::string plain(double number) {
  char out[32];
  std::snprintf(out, sizeof out, "%.12g", number);
  return out;
}

// ------------------------------------------------------------------------------- booleans and
// words

constexpr std::array<std::string_view, 8> true_words = {"true", "1", "yes",     "on",
                                                        "t",    "y", "enabled", "enable"};
constexpr std::array<std::string_view, 8> false_words = {"false", "0", "no",       "off",
                                                         "f",     "n", "disabled", "disable"};

/// What a value that is no boolean was plainly meant to be; empty when nothing is plain.
std::string_view meant_boolean(std::string_view text) {
  const auto is_noise = [](char letter) {
    return is_space(letter) || letter == '"' || letter == '\'' || letter == ';';
  };
  while (!text.empty() && is_noise(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_noise(text.back())) text.remove_suffix(1);
  const std::string word = lower(text);
  if (std::ranges::find(true_words, word) != true_words.end()) return "True";
  if (std::ranges::find(false_words, word) != false_words.end()) return "False";
  return {};
}

void explain_boolean(Explanation& out, std::string_view text, text::Span span) {
  const std::string_view meant = meant_boolean(text);
  const std::string remedy = meant.empty() ? "write `True` or `False`" : "write " + code(meant);
  Problem& problem = out.refuse(
      "allocator-boolean", span,
      out.value_raises() + ": " + code(text) + " is neither `True` nor `False`, " + remedy);
  if (meant.empty()) return;
  problem.replacement = std::string(meant);
  problem.safe = true;
}

void explain_backend(Explanation& out, const AllocatorKeyRow& key, std::string_view text,
                     text::Span span) {
  std::string choices;
  std::vector<std::string_view> words(key.words.begin(), key.words.end());
  if (out.context().platform == knowledge::Platform::rocm) {
    words.insert(words.end(), key.rocm_words.begin(), key.rocm_words.end());
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    choices += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + code(words[i]);
  }
  Problem& problem = out.refuse(
      "unknown-allocator-backend", span,
      out.value_raises() + ": there is no allocator backend " + code(text) + ", write " + choices);
  const std::string_view near = nearest_name(text, words);
  if (near.empty()) return;
  problem.replacement = std::string(near);
  problem.safe = lower(near) == lower(text);
}

// --------------------------------------------------------------------------------------------
// numbers

/// The text after the digits that made a whole number.
struct Suffix {
  enum class Kind : uint8_t { none, unit, cut_fraction, cut_exponent, other } kind = Kind::none;
  std::string meant;  ///< the number to write instead; empty when none is plain
  bool same = false;  ///< the same number is read without the suffix
};

/// MiB in one of the unit; 0 for a text that is no unit, a negative number for one below MiB.
double unit_in_mb(std::string_view suffix) {
  std::string unit = lower(suffix);
  std::erase_if(unit, is_space);
  if (unit == "m" || unit == "mb" || unit == "mib") return 1;
  if (unit == "g" || unit == "gb" || unit == "gib") return 1024;
  if (unit == "t" || unit == "tb" || unit == "tib") return 1024 * 1024;
  const bool small = unit == "b" || unit == "k" || unit == "kb" || unit == "kib" ||
                     unit == "byte" || unit == "bytes";
  return small ? -1 : 0;
}

Suffix suffix_of(const AllocatorKeyRow& key, std::string_view text, const ValueReading& reading) {
  const std::string_view rest = text.substr(reading.used);
  Suffix out;
  if (std::ranges::all_of(rest, is_space)) return out;
  out.kind = Suffix::Kind::other;
  const RealReading real = read_real(text);
  const bool whole_text = real.used == text.size() && real.trouble == NumberTrouble::none;
  const double unit = key.type == AllocatorValue::size_mb ? unit_in_mb(rest) : 0;
  if (unit != 0) {
    out.kind = Suffix::Kind::unit;
    const double number = static_cast<double>(reading.raw) * unit;
    if (unit > 0 && !reading.negative && number < 1e9) out.meant = plain(number);
    out.same = unit == 1;
  } else if (whole_text && rest.front() == '.') {
    out.kind = Suffix::Kind::cut_fraction;
    out.same = real.value == static_cast<double>(reading.raw);
    if (out.same) out.meant = plain(real.value);
  } else if (whole_text && (rest.front() == 'e' || rest.front() == 'E')) {
    out.kind = Suffix::Kind::cut_exponent;
    const bool whole = real.value >= 1 && real.value < 1e9 && std::floor(real.value) == real.value;
    if (whole) out.meant = plain(real.value);
  }
  return out;
}

/// "`10` is below the smallest value, 20"; empty when no bound is broken.
std::string broken_bound(const ValueReading& reading, const std::string& what, bool whole) {
  switch (reading.trouble) {
    case ValueTrouble::below_minimum: {
      const double least = reading.above_minimum ? reading.minimum + 1 : reading.minimum;
      if (whole) return what + " is below the smallest value, " + plain(least);
      return what + (reading.above_minimum ? " is not above " : " is below ") +
             plain(reading.minimum);
    }
    case ValueTrouble::above_maximum:
      return what + (reading.below_maximum ? " is not below " : " is above ") +
             plain(reading.maximum);
    case ValueTrouble::not_power_of_two: return what + " is not a power of two";
    case ValueTrouble::none:
    case ValueTrouble::not_boolean:
    case ValueTrouble::unknown_word:
    case ValueTrouble::no_number:
    case ValueTrouble::number_too_large:
    case ValueTrouble::ignored: break;
  }
  return {};
}

void explain_no_number(Explanation& out, const AllocatorKeyRow& key, std::string_view text,
                       text::Span span, const ValueReading& reading) {
  const bool whole = key.type != AllocatorValue::fraction;
  const std::string stops =
      whole ? out.number_raises() : "stops with a bare `stod` error at the first CUDA use";
  if (reading.trouble == ValueTrouble::number_too_large) {
    const uint64_t most = largest_integer(out.context().grammar.integer);
    const std::string limit =
        whole ? " is beyond " + std::to_string(most) + ", the largest number that it reads"
              : " is beyond what a double holds";
    out.refuse("allocator-number", span, stops + ": " + code(text) + limit);
    return;
  }
  const bool list = text.starts_with('[');
  const std::string what = list ? code(key.name) + " takes one value, not a list"
                                : code(text) + " does not begin with a number";
  out.refuse("allocator-number", span, stops + ": " + what);
}

std::string_view rule_of(Suffix::Kind kind) {
  return kind == Suffix::Kind::unit ? "allocator-unit-suffix" : "allocator-number";
}

std::string remedy_of(const Suffix& suffix) {
  if (!suffix.meant.empty()) return "write " + code(suffix.meant);
  switch (suffix.kind) {
    case Suffix::Kind::unit: return "write the size in MiB without a unit";
    case Suffix::Kind::cut_fraction: return "write a whole number";
    case Suffix::Kind::cut_exponent: return "write the number out";
    case Suffix::Kind::none:
    case Suffix::Kind::other: break;
  }
  return "leave out what follows the number";
}

void add_replacement(Problem& problem, const Suffix& suffix) {
  if (suffix.meant.empty()) return;
  problem.replacement = suffix.meant;
  problem.safe = suffix.same;
}

/// A number that is read and taken, but not as it is written.
void explain_misread(Explanation& out, std::string_view text, text::Span span,
                     const ValueReading& reading, const Suffix& suffix) {
  const std::string number(text.substr(0, reading.used));
  const std::string what = "reads " + code(text) + " as " + number + ": " + remedy_of(suffix);
  const bool harmless = suffix.kind == Suffix::Kind::cut_fraction && suffix.same;
  Problem& problem = harmless ? out.note(rule_of(suffix.kind), span, what)
                              : out.warn(rule_of(suffix.kind), span, what);
  add_replacement(problem, suffix);
}

void explain_whole(Explanation& out, const AllocatorKeyRow& key, std::string_view text,
                   text::Span span, const ValueReading& reading) {
  if (reading.used == 0 || reading.trouble == ValueTrouble::number_too_large) {
    explain_no_number(out, key, text, span, reading);
    return;
  }
  const Suffix suffix = suffix_of(key, text, reading);
  const std::string number(text.substr(0, reading.used));
  if (reading.trouble == ValueTrouble::none) {
    if (suffix.kind != Suffix::Kind::none) {
      explain_misread(out, text, span, reading, suffix);
    } else if (reading.negative) {
      out.warn("allocator-value-out-of-range", span,
               "wraps " + code(text) + " around to no limit at all: leave " + code(key.name) +
                   " out if that is meant");
    }
    return;
  }
  if (suffix.kind == Suffix::Kind::none) {
    out.refuse("allocator-value-out-of-range", span,
               out.value_raises() + ": " + broken_bound(reading, code(text), true));
    return;
  }
  Problem& problem =
      out.refuse(rule_of(suffix.kind), span,
                 out.value_raises() + ": it reads " + code(text) + " as " + number + ", and " +
                     broken_bound(reading, "that", true) + "; " + remedy_of(suffix));
  add_replacement(problem, suffix);
}

void explain_fraction(Explanation& out, const AllocatorKeyRow& key, std::string_view text,
                      text::Span span, const ValueReading& reading) {
  const bool unread = reading.used == 0 || reading.trouble == ValueTrouble::number_too_large;
  if (unread) {
    explain_no_number(out, key, text, span, reading);
    return;
  }
  const std::string_view rest = text.substr(reading.used);
  if (reading.trouble == ValueTrouble::none) {
    if (std::ranges::all_of(rest, is_space)) return;
    const std::string number(text.substr(0, reading.used));
    Problem& problem =
        out.warn("allocator-number", span,
                 "reads " + code(text) + " as " + number + ": write " + code(number));
    problem.replacement = number;
    problem.safe = rest == "f" || rest == "F";
    return;
  }
  const double value = number_of(reading.value);
  const bool percent = value > 1 && value <= 100 && (rest.empty() || rest == "%");
  const std::string remedy = percent ? ", write " + code(plain(value / 100)) : "";
  Problem& problem =
      out.refuse("allocator-value-out-of-range", span,
                 out.value_raises() + ": " + broken_bound(reading, code(text), false) + remedy);
  if (percent) problem.replacement = plain(value / 100);
}

}  // namespace

void explain_value(Explanation& out, const AllocatorKeyRow& key, text::Span span) {
  const std::string text = kept_text(slice(out.string(), span), out.context().grammar.tokenizer);
  const ValueReading reading = read_value(key, text, out.context(), out.minimum_mb_of(key));
  switch (key.type) {
    case AllocatorValue::boolean:
      if (reading.trouble != ValueTrouble::none) explain_boolean(out, text, span);
      return;
    case AllocatorValue::backend:
      if (reading.trouble != ValueTrouble::none) explain_backend(out, key, text, span);
      return;
    case AllocatorValue::fraction: explain_fraction(out, key, text, span, reading); return;
    case AllocatorValue::reserve:
    case AllocatorValue::reserve_list:
      if (reading.trouble == ValueTrouble::none) return;
      out.warn("allocator-key-ignored", span,
               "warns and goes on without " + code(text) +
                   ": write a share such as `0.5` or a size such as `40G`");
      return;
    case AllocatorValue::size_mb:
    case AllocatorValue::count:
    case AllocatorValue::rounding: explain_whole(out, key, text, span, reading); return;
  }
}

}  // namespace vramlint::settings
