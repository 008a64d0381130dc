// SPDX-License-Identifier: MIT
//
// Explains a string for 1.10 to 1.13, whose parser passes over everything without a colon and ends
// an option at any whitespace: most slips there are silence, not errors.
#include <algorithm>
#include <map>
#include <utility>

#include "settings/explain.h"
#include "settings/tokens.h"

namespace vramlint::settings {

namespace {

using knowledge::AllocatorKeyRow;
using knowledge::AllocatorValue;

class OptionExplainer {
 public:
  explicit OptionExplainer(Explanation& out) : out_(out), options_(out.string()) {}

  void run() {
    while (!out_.full() && options_.next()) {
      if (options_.parts().size() < 2) {
        explain_passed_over();
      } else {
        explain_option();
      }
    }
  }

 private:
  const AllocatorKeyRow* key_named(std::string_view name) const {
    return find_key(out_.tables().keys, name, out_.context().torch);
  }

  void explain_passed_over() {
    const std::string_view option = slice(out_.string(), options_.span());
    if (option.empty()) return;
    const std::size_t equals = option.find('=');
    const bool equals_option =
        equals != std::string_view::npos && key_named(option.substr(0, equals));
    const std::string what = "passes over " + code(option) + " without a word: ";
    if (equals_option) {
      const uint32_t at = options_.span().begin + static_cast<uint32_t>(equals);
      Problem& problem = out_.warn("allocator-separator", {at, at + 1}, what + "write `:` for `=`");
      problem.replacement = ":";
      problem.safe = true;
    } else if (option.ends_with(':')) {
      out_.warn("allocator-separator", options_.span(),
                what + "the value has to follow the `:` directly");
    } else {
      out_.warn("malformed-allocator-string", options_.span(), what + "write `key:value`");
    }
  }

  void explain_option() {
    const std::vector<text::Span>& parts = options_.parts();
    const std::string_view name = options_.part(0);
    const AllocatorKeyRow* key = key_named(name);
    if (name.empty()) {
      out_.refuse("malformed-allocator-string", options_.span(),
                  out_.value_raises() + ": " + code(slice(out_.string(), options_.span())) +
                      " has no key in front of its `:`");
      return;
    }
    if (key == nullptr) {
      explain_unknown_key(out_, name, parts[0]);
      return;
    }
    explain_value_of(*key, parts[1]);
    explain_duplicate(*key);
    if (parts.size() > 2) {
      const text::Span rest = {parts[1].end, options_.span().end};
      out_.warn("allocator-separator", rest,
                "passes over " + code(slice(out_.string(), rest)) + ": part options by `,`");
    }
  }

  void explain_value_of(const AllocatorKeyRow& key, text::Span span) {
    const bool list = key.type == AllocatorValue::rounding && options_.part(1).starts_with('[');
    if (!list) {
      explain_value(out_, key, span);
      return;
    }
    out_.refuse("rounding-list", span,
                out_.number_raises() + ": lists came with 2.0, write one number of divisions");
  }

  void explain_duplicate(const AllocatorKeyRow& key) {
    const auto [place, first] = seen_.try_emplace(key.name, options_.span());
    if (first) return;
    const text::Span before = std::exchange(place->second, options_.span());
    Problem& problem =
        out_.warn("duplicate-allocator-key", before,
                  "reads " + code(key.name) + " more than once and keeps the last value: keep one");
    if (before.end >= out_.string().size() || out_.string()[before.end] != ',') return;
    problem.replacement = "";
    problem.replaced = {before.begin, before.end + 1};
  }

  Explanation& out_;
  Options options_;
  std::map<std::string_view, text::Span> seen_;
};

}  // namespace

void explain_options(Explanation& out) { OptionExplainer(out).run(); }

}  // namespace vramlint::settings
