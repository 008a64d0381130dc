// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

// Calls as they are written: enough of Python's brackets, quotes and comments to say where each
// argument stands. Anything odd is no call, and then nobody edits it.

namespace vramlint::rules {

/// Bytes of the text that was read.
struct TextSpan {
  size_t begin = 0;
  size_t end = 0;

  size_t size() const { return end - begin; }
};

struct WrittenArgument {
  TextSpan whole;            ///< without the blanks around it
  std::string_view keyword;  ///< empty for a positional one
  TextSpan value;
};

/// `name(…)`, read from its text.
struct WrittenCall {
  TextSpan callee;
  size_t open = 0;   ///< its opening bracket …
  size_t close = 0;  ///< … and the closing one, the last byte of the text
  std::vector<WrittenArgument> arguments;
  bool unpacks = false;         ///< `*a` or `**b` is among them
  bool trailing_comma = false;  ///< after the last

  const WrittenArgument* argument(std::string_view keyword, int position) const;
};

/// Nothing for a text that does not end with the bracket of a call.
std::optional<WrittenCall> read_call(std::string_view text);

/// A name, attributes, subscripts and calls in a row: what can be followed by `.x` as it stands.
bool is_primary(std::string_view text);

/// The one place at which the word stands outside longer words; nothing when there are several.
std::optional<size_t> only_word(std::string_view text, std::string_view word);

/// The `=` of a plain assignment, or of `+=`, outside brackets and quotes; nothing without one.
std::optional<size_t> assignment_sign(std::string_view text);

}  // namespace vramlint::rules
