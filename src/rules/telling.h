// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"
#include "prefilter/words.h"

namespace vramlint::rules {

/// Words without any of which no page can have a finding.
struct TellingWords {
  /// In the entry or in anything that it imports: the variables that have a row or that some page
  /// is about, and the last words of calls whose order counts.
  std::vector<std::string_view> anywhere;
  /// In the entry itself: words of rules whose findings are complete in one file.
  std::vector<std::string_view> own;
  /// Beginnings of names that no list can hold: misspelt variables, names that do not exist.
  std::vector<std::string_view> stems;

  prefilter::Wanted wanted() const;
};

TellingWords telling_words(const knowledge::Knowledge& knowledge);

}  // namespace vramlint::rules
