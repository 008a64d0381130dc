// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace vramlint::model {

/// Index of an interned text. Two equal texts have the same id, so that comparing names is
/// comparing numbers. Id 0 is the empty text.
using NameId = uint32_t;

/// Every identifier, dotted name and string constant that one worker has met.
class Names {
 public:
  Names();
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  NameId intern(std::string_view text);
  size_t size() const { return texts_.size(); }
  /// Valid for as long as this object lives.
  std::string_view text(NameId name) const { return texts_[name]; }
  /// `torch` and `cuda` give `torch.cuda`; remembered, since the replay asks again and again.
  /// The empty name when the result would be longer than any that exists.
  NameId dotted(NameId left, NameId right);

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, NameId> ids_;
  std::unordered_map<uint64_t, NameId> dotted_;
};

}  // namespace vramlint::model
