// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontends/file_scan.h"
#include "knowledge/knowledge.h"
#include "prefilter/words.h"
#include "rules/interest.h"

// Which words a program must have for a page to speak of it.

namespace vramlint::rules {

/// All words that any page needs.
class TellingWords {
 public:
  explicit TellingWords(const knowledge::Knowledge& knowledge);

  const prefilter::WordSet& set() const { return set_; }
  /// Of words and stems: at most `Marks::most`, whose numbers run towards each other.
  size_t count() const { return words_.size() + stems_.size(); }
  std::string_view word(size_t number) const {
    return number < words_.size() ? words_[number]
                                  : std::string_view(stems_[prefilter::Marks::stem(number)].text);
  }
  /// Anywhere: the variables that have a row or that some page is about, and the last words of
  /// calls whose order counts. In the entry itself: words of findings that are complete in one
  /// file.
  frontends::Needs needs(const Interest& interest) const;

 private:
  struct Trigger {
    frontends::Together together;
    size_t page;
    diagnostics::Severity most;
    bool anywhere;
  };

  uint32_t number_of(std::string_view word);
  void add_page(size_t index, const knowledge::RulePage& page);
  uint32_t stem(std::string text, decltype(prefilter::Stem::tells) tells);
  void add_rows();
  void add_stems();
  void add(size_t page, diagnostics::Severity most, bool anywhere, std::string_view together);
  prefilter::WordSet finish();

  const knowledge::Knowledge& knowledge_;
  std::vector<std::string_view> words_;
  std::unordered_map<std::string_view, uint32_t> numbers_;  ///< of those and of `word ? sign`
  std::vector<prefilter::Stem> stems_;
  std::vector<Trigger> triggers_;
  prefilter::WordSet set_;
};

/// The same for the tables of this program, made once.
const TellingWords& telling_words();

/// Words of which a file that launches programs has to have one for any finding in it: variables,
/// what begins like one and is misspelt, and a few more. Made once.
const prefilter::WordSet& launch_words();

}  // namespace vramlint::rules
