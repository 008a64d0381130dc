// SPDX-License-Identifier: MIT
#include "model/names.h"

namespace vramlint::model {

Names::Names() { intern(""); }

NameId Names::intern(std::string_view text) {
  if (auto found = ids_.find(text); found != ids_.end()) return found->second;
  const auto id = static_cast<NameId>(texts_.size());
  texts_.emplace_back(text);
  ids_.emplace(texts_.back(), id);
  return id;
}

NameId Names::dotted(NameId left, NameId right) {
  // Nothing has a longer name; a program can make one that grows with each of its lines.
  constexpr size_t longest = 1000;
  if (text(left).size() + text(right).size() > longest) return 0;
  const uint64_t key = uint64_t{left} << 32 | right;
  if (auto found = dotted_.find(key); found != dotted_.end()) return found->second;
  std::string joined(text(left));
  joined += '.';
  joined += text(right);
  return dotted_[key] = intern(joined);
}

}  // namespace vramlint::model
