// SPDX-License-Identifier: MIT
//
// Names that the release does not know: misspelt, of another release, or no key at all.
#include <algorithm>

#include "settings/explain.h"
#include "support/nearest_name.h"

namespace vramlint::settings {

namespace {

using knowledge::AllocatorKeyRow;

/// What the name was meant to be; `sure` when pages are known to spell it so, or case alone
/// differs.
struct Suggestion {
  std::string_view name;
  bool sure = false;
};

bool same_letters(std::string_view left, std::string_view right) {
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  };
  return std::ranges::equal(left, right, {}, lower, lower);
}

Suggestion suggestion_for(std::string_view name, const Explanation& out) {
  std::vector<std::string_view> names;
  for (const AllocatorKeyRow& key : out.tables().keys) {
    if (!key.torch.contains(out.context().torch)) continue;
    const bool known = std::ranges::find(key.misspellings, name) != key.misspellings.end();
    if (known || same_letters(key.name, name)) return {key.name, true};
    names.push_back(key.name);
    names.insert(names.end(), key.aliases.begin(), key.aliases.end());
  }
  return {nearest_name(name, names), false};
}

void explain_other_release(Explanation& out, const AllocatorKeyRow& key, text::Span span) {
  const std::string name = code(slice(out.string(), span));
  const bool later = key.torch.since > out.context().torch;
  const std::string when = later ? " is a key since " + to_string(key.torch.since)
                                 : " was a key until " + to_string(key.torch.until);
  out.refuse("unknown-allocator-key", span,
             out.value_raises() + ": " + name + when + ", leave it out");
}

}  // namespace

void explain_unknown_key(Explanation& out, std::string_view name, text::Span span) {
  const AllocatorKeyRow* elsewhere = find_key_of_any_release(out.tables().keys, name);
  if (elsewhere != nullptr && !elsewhere->torch.contains(out.context().torch)) {
    explain_other_release(out, *elsewhere, span);
    return;
  }
  const Suggestion suggestion = suggestion_for(name, out);
  const std::string what = out.value_raises() + ": " + code(name) + " is not a key";
  if (suggestion.name.empty()) {
    out.refuse("unknown-allocator-key", span, what + " of any release, leave it out");
    return;
  }
  Problem& problem = out.refuse("unknown-allocator-key", span,
                                what + ", did you mean " + code(suggestion.name) + "?");
  problem.replacement = std::string(suggestion.name);
  problem.safe = suggestion.sure;
}

}  // namespace vramlint::settings
