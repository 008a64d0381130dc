// SPDX-License-Identifier: MIT
#include "syntax/trees.h"

namespace vramlint::syntax {

namespace {

/// Texts of this many bytes are kept in any case; a tree takes about ten times as much.
constexpr std::size_t always_kept = 1 << 17;

}  // namespace

std::shared_ptr<const Tree> Trees::of(std::string_view text) {
  auto found = trees_.find(text);
  if (found == trees_.end()) {
    found = trees_.try_emplace(std::string(text)).first;
    found->second.tree = std::make_shared<const Tree>(text);
    bytes_ += text.size();
  }
  if (found->second.round != round_) used_ += text.size();
  found->second.round = round_;
  return found->second.tree;
}

void Trees::forget_old() {
  if (bytes_ > always_kept + 2 * used_) {
    std::erase_if(trees_, [this](const auto& entry) {
      const bool is_old = entry.second.round != round_;
      if (is_old) bytes_ -= entry.first.size();
      return is_old;
    });
  }
  used_ = 0;
  ++round_;
}

}  // namespace vramlint::syntax
