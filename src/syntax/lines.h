// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vramlint::syntax {

/// Where a text literal ends: behind its last quote, or where a text that is never closed does,
/// with its line or with the bytes.
struct TextEnd {
  size_t at;
  bool closed;
};

/// `at`: where its first quote stands.
TextEnd end_of_text(std::string_view bytes, size_t at);

/// Whether three quotes open, or close, a text there.
bool is_triple_quote(std::string_view bytes, size_t at);

/// Whether a definition begins there, in column 0: it can't stand inside brackets, which were never
/// closed then.
bool definition_begins(std::string_view bytes, size_t at);

/// Goes through Python by logical lines: enough of a lexer to know strings, brackets and continued
/// lines, nothing more.
class Lines {
 public:
  /// `cleaned`: a copy of the bytes, in which stretches that say nothing are blanked.
  explicit Lines(std::string_view bytes, std::string* cleaned = nullptr);

  bool at_end() const { return at_ >= bytes_.size(); }
  size_t at() const { return at_; }
  std::string_view bytes() const { return bytes_; }

  /// To the start of the next line that is outside strings and brackets.
  void skip_logical_line();

  /// The letters, digits and underscores from here on.
  std::string_view word_at(size_t begin) const;
  size_t skip_blanks(size_t from) const;

  /// Lines with a comment alone and continued lines since the last call.
  int take_idle();

 private:
  void skip_escape();
  void skip_comment();
  void note_idle(size_t begin);

  std::string_view bytes_;
  size_t at_ = 0;
  std::string* cleaned_;
  int idle_ = 0;
};

}  // namespace vramlint::syntax
