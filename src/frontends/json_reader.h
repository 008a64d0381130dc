// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/cells.h"
#include "text/span.h"

namespace vramlint::frontends {

/// Reads JSON in place, one step at a time, and knows at each byte where it is: a library would
/// give the values and lose their places. What is stepped over is not looked at but for strings and
/// brackets, so that the outputs of a notebook cost next to nothing. The first fault stops it.
class JsonReader {
 public:
  explicit JsonReader(std::string_view bytes);

  bool failed() const { return !fault_.empty(); }
  /// `line 3: expected `,``; empty without a fault.
  const std::string& fault() const { return fault_; }
  uint32_t at() const { return static_cast<uint32_t>(at_); }

  bool is_object() { return next_is('{'); }
  bool is_array() { return next_is('['); }
  bool is_string() { return next_is('"'); }

  /// `while (enter member)`: begins an object or array that is there. `next_member` and `next_item`
  /// then stand in front of one value after the other, each of which has to be read or skipped.
  void enter();
  bool next_member(std::string& key);
  bool next_item();

  /// The string between its quotes.
  text::Span read_string();
  /// Over a value, whatever it is.
  void skip();
  /// Nothing but blanks may follow.
  void expect_end();

 private:
  void skip_blanks();
  bool next_is(char byte);
  bool next_after_comma(char closing);
  void skip_nested();
  void fail(std::string_view message);

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool entered_ = false;  ///< no value of the innermost object or array has been read
  std::string fault_;
};

/// What a string between quotes says, added to `text`, with a piece for each stretch. Whatever is
/// no character becomes U+FFFD.
void decode_string(std::string_view bytes, text::Span inside, std::string& text,
                   std::vector<text::StoredPiece>& pieces);

}  // namespace vramlint::frontends
