// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontends/launch/mapped_text.h"
#include "model/launch.h"

namespace vramlint::frontends {

/// Reads the words of a shell's text, one after the other, with their quotes taken off and what
/// they are made of kept apart. Whatever is not closed ends with the text.
class ShellWords {
 public:
  explicit ShellWords(const MappedText& text) : text_(text), bytes_(text.text()) {}

  size_t at() const { return at_; }
  void move_to(size_t at) { at_ = at; }
  bool ended() const { return at_ >= bytes_.size(); }
  char peek(size_t ahead = 0) const {
    return at_ + ahead < bytes_.size() ? bytes_[at_ + ahead] : '\0';
  }
  bool sees(std::string_view text) const { return bytes_.substr(at_).starts_with(text); }

  /// Blanks, and line ends behind a backslash.
  void skip_blanks();
  /// The word that begins here; an empty one where none does.
  model::LaunchWord read();
  /// Over a pair of brackets and what stands in them; the opening one stands here.
  void skip_balanced(char open, char close);
  void skip_line();

 private:
  void add(model::LaunchWord& word, size_t from, size_t to);
  void add_byte(model::LaunchWord& word) { add(word, at_, at_ + 1), ++at_; }
  void add_unknown(model::LaunchWord& word);
  void read_single(model::LaunchWord& word);
  void read_double(model::LaunchWord& word);
  void read_ansi(model::LaunchWord& word);
  void read_dollar(model::LaunchWord& word);
  void read_braced(model::LaunchWord& word);
  void read_template(model::LaunchWord& word);
  void skip_backticks();
  void skip_quoted(char quote);

  const MappedText& text_;
  std::string_view bytes_;
  size_t at_ = 0;
  uint32_t decoded_ = 0;
};

bool is_name_byte(char byte);

/// `NAME=value` as a setting; nothing for any other word.
std::optional<model::LaunchSetting> setting_in(const model::LaunchWord& word);

/// What is left of a word behind so many bytes of its text.
model::LaunchWord word_behind(const model::LaunchWord& word, size_t bytes);
/// The first bytes of a word's text, as a word.
model::LaunchWord word_before(const model::LaunchWord& word, size_t bytes);

/// A word of which all is known and stands at one place.
model::LaunchWord plain_word(std::string_view text, uint32_t origin);
/// A word with `$NAME` and `${NAME}` in it, as YAML files and `.env` have them.
model::LaunchWord word_with_variables(const MappedText& text);

/// The known text of a word with its places, to be read as something else.
MappedText text_of(const model::LaunchWord& word);

}  // namespace vramlint::frontends
