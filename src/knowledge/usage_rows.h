// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "knowledge/allocator_rows.h"
#include "knowledge/moment.h"
#include "knowledge/version.h"

// How calls and variables are misused, as rows of `rules/knowledge/argument_faults.toml`,
// `setting_conflicts.toml` and `variable_values.toml`. Each row names the rule that speaks for it.

namespace vramlint::knowledge {

/// What is wrong with an argument.
enum class ArgumentFault : uint8_t {
  always,      ///< whatever it is
  given,       ///< that it is there at all
  boolean,     ///< a bool
  integer,     ///< an int, which a bool is too
  text,        ///< a str
  below,       ///< a number below `bound`
  above,       ///< a number above `bound`
  equal,       ///< a float that is `bound`
  word,        ///< the str in `word`
  other_word,  ///< a str that is not in `words`
  one_of,      ///< source text that is in `words`: `True`, `0`, `"fork"`, a dotted name
  missing,     ///< that it is not there
  written,     ///< source text as it stands in the call that is in `words`: `torch.device("cuda")`
  made_by,     ///< what a call of one of `words` gave: `numpy.float32`, `int`
  tensor,      ///< a tensor
};

/// How surely a row's remedy is what was meant.
enum class FixSafety : uint8_t { none, safe, unsafe };

/// What is done about an argument.
enum class ArgumentRemedy : uint8_t {
  none,
  as_float,   ///< `1` becomes `1.0`
  unquoted,   ///< a number in quotes loses them
  boolean,    ///< `True` becomes `instead`, `False` becomes `None`
  leave_out,  ///< it goes …
  drop_call,  ///< … or the whole statement
  add,        ///< `instead` comes behind the others
  rebound,    ///< `x = x.call()` becomes `x.call()`
  unnamed,    ///< `call(name=x)` becomes `call(x)`
};

struct ArgumentFaultRow {
  std::string_view rule;
  std::span<const std::string_view> calls;  ///< dotted names
  std::string_view argument;
  int8_t position = -1;  ///< -1: keyword only
  ArgumentFault fault{};
  double bound = 0;
  std::string_view word;
  std::span<const std::string_view> words;
  /// The row speaks only when the first argument is a bool: an older form of the call.
  bool after_boolean = false;
  /// Only when another argument is one of these source texts; `missing`: when it is not there.
  std::string_view other_argument;
  int8_t other_position = -1;
  std::span<const std::string_view> other_values;
  std::span<const std::string_view> unless_arguments;  ///< not when one of these is given
  /// Only when the program calls one of these as well, with the argument as it is said …
  std::span<const std::string_view> beside;
  std::string_view beside_argument;
  std::string_view beside_value;
  bool beside_first = false;  ///< … and before, in the same process
  /// … and in the handler of the exception that the row is about.
  bool beside_in_handler = false;
  std::span<const std::string_view> unless_called;  ///< not when one of these is called somewhere
  std::span<const std::string_view>
      within;                 ///< a `for` loop of `loop`, else a function of the name
  int64_t rounds = 0;         ///< only when the loops around it have so many rounds together
  bool on_gpu = false;        ///< only of a tensor or module that is on a GPU
  bool result_used = false;   ///< only when the result is assigned to a name
  std::string_view platform;  ///< only there
  /// What a file has in which the row can speak, where the calls are too common to tell.
  std::span<const std::string_view> telling;
  std::string_view inside;                        ///< the row speaks only in a `with` of this
  Moment unless_reached = Moment::process_start;  ///< nor once this has, perhaps, happened
  ProblemSeverity severity = ProblemSeverity::error;
  VersionRange torch;
  ArgumentRemedy remedy{};
  std::string_view remedy_argument;  ///< another one than `argument`, at `remedy_position`
  int8_t remedy_position = -1;
  std::string_view instead;  ///< source text
  FixSafety fix{};
  std::string_view message;  ///< what the call does with it: "raises TypeError: …"
  std::string_view source;
  std::string_view evidence;
};

/// A call that fails, or does nothing, under a setting.
struct SettingConflictRow {
  std::string_view rule;
  std::span<const std::string_view> calls;
  std::string_view argument;  ///< the row speaks only when this argument …
  int8_t position = -1;
  std::span<const std::string_view> values;  ///< … is one of these: source text, `"a"` in quotes
  std::string_view variable;                 ///< set to `value`; or:
  std::string_view key;                      ///< a key of the allocator string, set to `value`
  std::string_view value;
  std::string_view platform;  ///< or: what the program runs on
  bool sends_tensor =
      false;              ///< speaks for a CUDA tensor that goes to another process, not for calls
  bool in_child = false;  ///< only in a process that this one starts
  ProblemSeverity severity = ProblemSeverity::error;
  VersionRange torch;
  std::string_view message;  ///< what comes of it, after the name of the call
  std::string_view source;
  std::string_view evidence;
};

/// What the statistics that a call gives are called.
struct StatisticKeyRow {
  std::span<const std::string_view> calls;
  /// Parts between dots: `{a,b}` is one of these, `*` anything, `**` all that follows.
  std::span<const std::string_view> keys;
  std::string_view source;
  std::string_view evidence;
};

/// A collective of `torch.distributed`.
struct CollectiveRow {
  std::span<const std::string_view> names;  ///< dotted
  int8_t group_position = 0;
  bool has_tensor = false;  ///< its first argument, on whose device it runs
  std::string_view source;
  std::string_view evidence;
};

/// A value of a variable that has a meaning worth a word.
struct VariableValueRow {
  std::string_view rule;
  std::string_view variable;
  std::span<const std::string_view> values;
  std::span<const std::string_view> unless_called;  ///< calls beside which the value is meant
  /// For numbers instead: between these, both ends exclusive …
  double above = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
  std::string_view unless_set;      ///< … while this variable is not set with it
  bool only_unconditional = false;  ///< behind a condition it is meant: a flag for debugging
  ProblemSeverity severity = ProblemSeverity::warning;
  VersionRange torch;
  std::string_view instead;  ///< the value to write; empty when the write has to go
  FixSafety fix{};
  std::string_view message;  ///< what it does
  std::string_view source;
  std::string_view evidence;
};

}  // namespace vramlint::knowledge
