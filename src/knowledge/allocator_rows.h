// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "knowledge/moment.h"
#include "knowledge/target.h"
#include "knowledge/version.h"

// What PyTorch's releases make of an allocator string, as rows of
// `rules/knowledge/allocator_*.toml`: how a release cuts the string up, which keys it knows and
// what it takes for their values, and which keys do nothing or harm beside others. Says nothing
// about how the reading goes; `settings/` does that.

namespace vramlint::knowledge {

/// How a release cuts the string up. Each is code in `settings/`; all the rest is rows.
enum class AllocatorTokenizer : uint8_t {
  unread,         ///< the release does not look at the variable
  options,        ///< pieces between commas and whitespace, each cut at its colons
  spaced_tokens,  ///< tokens at `, : [ ]`; plain spaces vanish, other whitespace stays
  tokens,         ///< tokens at `, : [ ]`; all whitespace vanishes
};

/// The C++ function that reads whole numbers.
enum class AllocatorInteger : uint8_t { stoi, stoull };

/// What happens to the string while `import torch` runs.
enum class AllocatorLoadScan : uint8_t {
  none,
  backend_words,  ///< a parser of its own looks for `backend`, cutting at whitespace, comma and
                  ///< colon
  whole_pairs,    ///< walks key by key up to `backend`; a key without a value aborts the process
};

/// How the releases' own read-back shows a size whose bytes no longer fit a signed number.
enum class AllocatorReadback : uint8_t { signed_bytes, signed_mb };

struct AllocatorGrammarRow {
  std::string_view name;
  VersionRange torch;
  std::span<const std::string_view> variables;  ///< that hold the string; the first one set wins
  std::span<const std::string_view> rocm_variables;  ///< meant for ROCm builds
  AllocatorTokenizer tokenizer = AllocatorTokenizer::tokens;
  AllocatorInteger integer = AllocatorInteger::stoull;
  AllocatorLoadScan load_scan = AllocatorLoadScan::none;
  AllocatorReadback unlimited_shown_in = AllocatorReadback::signed_bytes;
  bool separators_checked = false;  ///< another token in the place of `:` or `,` is an error
  bool two_passes = false;          ///< the device-neutral parser goes first, the CUDA one second
  bool lists = false;
  bool list_zero = false;          ///< 0 divisions are legal inside a list
  bool rest_overwrites = false;    ///< `>` starts at the interval named last, not after it
  bool open_list_checked = false;  ///< a list without `]` is an error; else reads past the end
  std::string_view value_error;    ///< exception for a value or key that PyTorch itself refuses
  std::string_view source;
  std::string_view evidence;
};

/// What a key's value is.
enum class AllocatorValue : uint8_t {
  size_mb,   ///< a whole number of MiB
  count,     ///< a whole number
  fraction,  ///< a decimal number
  boolean,
  backend,       ///< one of `words`
  rounding,      ///< a count, or a list `[size:count,…,>:count]`
  reserve,       ///< a fraction or a size as in `40G`; anything else is warned about and ignored
  reserve_list,  ///< `[class:reserve,…]`
};

/// Which of the two passes reads the key, where there are two.
enum class AllocatorParser : uint8_t { neutral, device };

enum class ProblemSeverity : uint8_t { note, warning, error };

/// Legal numbers for a key in some releases.
struct AllocatorBound {
  VersionRange torch;
  double minimum = -std::numeric_limits<double>::infinity();
  bool above_minimum = false;  ///< the minimum itself is refused
  double maximum = std::numeric_limits<double>::infinity();
  bool below_maximum = false;  ///< the maximum itself is refused
  bool power_of_two = false;
  std::string_view minimum_key;  ///< the minimum is what this key is set to, where it is set
};

/// A platform on which a key does not do what it does on Linux with CUDA.
struct AllocatorPlatformLimit {
  Platform platform{};
  VersionRange torch;
  ProblemSeverity severity = ProblemSeverity::warning;
  std::string_view message;  ///< what comes after "PyTorch 2.11"
  std::string_view source;
};

struct AllocatorKeyRow {
  std::string_view name;
  std::span<const std::string_view> aliases;  ///< names that set the same thing
  VersionRange torch;
  AllocatorValue type = AllocatorValue::size_mb;
  AllocatorParser parser = AllocatorParser::device;
  bool read_first = false;  ///< read before all other keys, wherever it stands
  Moment read_at = Moment::allocator_string;
  std::string_view fallback;  ///< value in force when the key is not set
  std::span<const AllocatorBound> bounds;
  std::span<const std::string_view> words;       ///< legal words
  std::span<const std::string_view> rocm_words;  ///< legal in ROCm builds besides
  bool reset_by_setter = false;  ///< the run-time setter takes it back when it is not named
  bool native_only = false;      ///< ignored by every backend but `native`
  std::span<const std::string_view> misspellings;  ///< as seen on popular pages
  std::span<const AllocatorPlatformLimit> platforms;
  std::string_view summary;
  std::string_view source;
  std::string_view evidence;
};

/// How two keys have to stand for the row to speak. A key that has its default counts as not set.
enum class AllocatorRelation : uint8_t {
  beside,   ///< both are set
  without,  ///< the other one is not set
  above,    ///< both are set, and the number is larger than the other's
};

struct AllocatorInteractionRow {
  std::string_view name;
  std::string_view key;  ///< the key that the finding stands on
  AllocatorRelation relation{};
  std::string_view other;
  VersionRange torch;
  std::string_view rule;  ///< page in `rules/settings/`
  ProblemSeverity severity = ProblemSeverity::warning;
  std::string_view message;       ///< what comes after "PyTorch 2.11"
  std::string_view satisfied_by;  ///< a call that stands in for the other key
  std::string_view source;
  std::string_view evidence;
};

/// The tables of this header, as one argument.
struct AllocatorTables {
  std::span<const AllocatorKeyRow> keys;
  std::span<const AllocatorGrammarRow> grammars;
  std::span<const AllocatorInteractionRow> interactions;
};

}  // namespace vramlint::knowledge
