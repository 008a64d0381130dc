// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vramlint::prefilter {

/// A letter, a digit or `_`.
bool is_word_byte(char byte);

/// A set of words by their numbers.
class Marks {
 public:
  static constexpr size_t most = 768;
  static constexpr size_t stem(size_t place) { return most - 1 - place; }

  void set(size_t number) { parts_[number / 64] |= uint64_t{1} << number % 64; }
  bool test(size_t number) const { return (parts_[number / 64] >> number % 64 & 1) != 0; }
  bool any() const {
    return std::any_of(parts_.begin(), parts_.end(), [](uint64_t part) { return part != 0; });
  }
  bool contains(const Marks& other) const { return combined(other, true) == other; }
  bool meets(const Marks& other) const { return combined(other, true).any(); }
  Marks& operator|=(const Marks& other) { return *this = combined(other, false); }
  Marks operator&(const Marks& other) const { return combined(other, true); }
  Marks operator|(const Marks& other) const { return combined(other, false); }
  Marks without(const Marks& other) const {
    Marks made;
    for (size_t i = 0; i < parts_.size(); ++i) made.parts_[i] = parts_[i] & ~other.parts_[i];
    return made;
  }
  bool operator==(const Marks&) const = default;

 private:
  Marks combined(const Marks& other, bool both) const {
    Marks made;
    for (size_t i = 0; i < parts_.size(); ++i)
      made.parts_[i] = both ? parts_[i] & other.parts_[i] : parts_[i] | other.parts_[i];
    return made;
  }

  std::array<uint64_t, most / 64> parts_{};
};

/// Where the last letter, digit or `_` of a word ends, in bytes, and the word's number.
struct Occurrence {
  uint32_t end;
  uint32_t word;
};

/// What was found out about names in the bytes at hand, for the tests of stems to come.
using Answers = std::unordered_map<std::string_view, bool>;

struct Stem {
  std::string text;
  std::function<bool(std::string_view bytes, size_t begin, size_t end, Answers& known)> tells;
  bool asked_once = false;  ///< a "no" holds for the whole of the bytes
};

/// What to look for. The numbers of the words are their places in `words`; those of the stems go
/// down from the last number that there is.
///
/// An end of a word that is a letter, a digit or `_` is an end of a word in the bytes as well,
/// unless there is a `*`: `load` does not stand in `reload`, `*oader:` stands in `loader:`.
struct Wanted {
  std::span<const std::string_view> words;
  /// What may stand anywhere, and counts if its own test says so of the bytes and of where it
  /// stands in them.
  std::span<const Stem> stems;
};

inline constexpr int most_questions = 256;
inline constexpr size_t most_unasked = 4096;

/// Words searched for in bytes all at once: one step a byte, however many words.
class WordSet {
 public:
  explicit WordSet(const Wanted& wanted);
  explicit WordSet(std::span<const std::string_view> words) : WordSet(Wanted{words, {}}) {}

  /// The words that occur.
  Marks find_in(std::string_view bytes) const;
  bool any_in(std::string_view bytes) const { return find_in(bytes).any(); }
  /// The same, and where those of `listed` stand, in ascending order of their ends.
  Marks find_all(std::string_view bytes, const Marks& listed, std::vector<Occurrence>& into) const {
    return find_all(bytes, listed, into, stem_marks_, nullptr);
  }
  /// Stems that are not in `asked` do not count, since their tests may be dear; `unasked` gets
  /// where they stand.
  Marks find_all(std::string_view bytes, const Marks& listed, std::vector<Occurrence>& into,
                 const Marks& asked, std::vector<Occurrence>* unasked = nullptr) const;
  /// Which of the stems `asked` tell where they stand.
  Marks ask(std::string_view bytes, const std::vector<Occurrence>& unasked,
            const Marks& asked) const;
  const Marks& stem_marks() const { return stem_marks_; }

 private:
  struct Word {
    uint32_t size = 0;
    uint32_t tail = 0;  ///< bytes behind the last letter
    bool open_begin = false;
    bool open_end = false;
  };

  struct Step {
    uint32_t from;
    uint8_t on;  ///< class
    uint16_t to;
  };

  void add(std::string_view word, size_t number, std::vector<Step>& steps);
  void complete(std::vector<Step> steps);
  struct Asking;
  bool stands(size_t number, std::string_view bytes, size_t end, Asking& asking) const;
  bool tells(size_t stem, std::string_view bytes, size_t begin, size_t end, Asking& asking) const;
  uint32_t row_of(uint32_t state) const { return state << class_bits_; }

  // An Aho-Corasick automaton. Bytes that occur in no word share class 0, which keeps the table
  // small.
  std::array<uint8_t, 256> class_of_{};
  uint32_t class_count_ = 1;
  uint32_t class_bits_ = 0;                    ///< as many as the number of a class takes
  std::vector<uint16_t> next_;                 ///< state × class → state
  std::vector<Word> words_;                    ///< by number
  std::vector<std::vector<uint16_t>> ending_;  ///< by state: numbers of the words that end there
  std::vector<uint8_t> ends_;                  ///< by state: whether there are any
  std::vector<Stem> stems_;
  Marks stem_marks_;
};

}  // namespace vramlint::prefilter
