// SPDX-License-Identifier: MIT
//
// Values in brackets: `[256:1,512:2,>:4]` of the rounding key, `[name:0.25]` of the reserve key.
// Speaks of single entries, and of entries that the release reads in another way than they look.
#include <algorithm>
#include <bit>

#include "settings/explain.h"
#include "settings/tokens.h"

namespace vramlint::settings {

namespace {

using knowledge::AllocatorKeyRow;
using knowledge::AllocatorValue;

constexpr uint64_t largest_interval_mb = 32768;

struct Entry {
  text::Span whole;
  text::Span name;
  text::Span separator;
  text::Span value;
};

/// The inside of the brackets, cut at commas. A comma at the end opens no entry.
std::vector<Entry> entries_of(std::string_view string, text::Span inside) {
  std::vector<Entry> out;
  uint32_t begin = inside.begin;
  while (begin < inside.end) {
    const std::size_t comma = string.find(',', begin);
    const uint32_t end = comma < inside.end ? static_cast<uint32_t>(comma) : inside.end;
    Entry entry;
    entry.whole = trimmed(string, {begin, end});
    const std::size_t mark = slice(string, entry.whole).find_first_of(":=");
    const uint32_t at = entry.whole.begin + static_cast<uint32_t>(mark);
    if (mark != std::string_view::npos) {
      entry.name = trimmed(string, {entry.whole.begin, at});
      entry.separator = {at, at + 1};
      entry.value = trimmed(string, {at + 1, entry.whole.end});
    }
    out.push_back(entry);
    begin = end + 1;
  }
  return out;
}

class RoundingList {
 public:
  explicit RoundingList(Explanation& out) : out_(out) {}

  void explain(const Entry& entry) {
    const std::string_view separator = slice(out_.string(), entry.separator);
    if (entry.separator.size() == 0 || entry.value.size() == 0) {
      out_.refuse("rounding-list", entry.whole,
                  stops() + ": " + code(text(entry.whole)) + " is not `SIZE:DIVISIONS`");
      return;
    }
    if (separator == "=") {
      Problem& problem = out_.refuse("rounding-list", entry.separator,
                                     stops() + ": write `:` between size and divisions, not `=`");
      problem.replacement = ":";
      problem.safe = true;
    }
    explain_divisions(entry);
    if (kept(entry.name) == ">") {
      explain_rest(entry);
    } else {
      explain_size(entry);
    }
  }

 private:
  std::string_view text(text::Span span) const { return slice(out_.string(), span); }
  std::string kept(text::Span span) const {
    return kept_text(text(span), out_.context().grammar.tokenizer);
  }
  std::string stops() const { return out_.structure_stops(); }

  void explain_divisions(const Entry& entry) {
    const std::string value = kept(entry.value);
    const IntegerReading count = read_integer(value, out_.context().grammar.integer);
    if (count.trouble != NumberTrouble::none) {
      out_.refuse("rounding-list", entry.value,
                  out_.number_raises() + ": " + code(value) + " is no number of divisions");
      return;
    }
    const bool off = count.value == 0 && out_.context().grammar.list_zero;
    if (!off && !is_power_of_two(count.value)) {
      out_.refuse("rounding-list", entry.value,
                  out_.value_raises() + ": " + code(value) + " divisions are not a power of two");
    }
    warn_about_rest(value, count.used, entry.value);
  }

  void explain_size(const Entry& entry) {
    size_given_ = true;
    const std::string name = kept(entry.name);
    const IntegerReading size = read_integer(name, knowledge::AllocatorInteger::stoull);
    if (size.trouble != NumberTrouble::none) {
      out_.refuse("rounding-list", entry.name,
                  out_.number_raises() + ": " + code(name) + " is neither a size in MiB nor `>`");
      return;
    }
    if (!is_power_of_two(size.value)) {
      out_.refuse("rounding-list", entry.name,
                  out_.value_raises() + ": " + code(name) + " MiB is not a power of two");
      return;
    }
    warn_about_rest(name, size.used, entry.name);
    if (size.value > largest_interval_mb) {
      out_.note("rounding-list", entry.name,
                "has no interval above 32768 MiB and takes " + code(name) + " for that one");
    }
    if (rest_given_ || size.value <= last_) {
      out_.warn("rounding-list", entry.whole,
                "fills the intervals in the order of the list, and " + code(text(entry.whole)) +
                    " comes after a larger size: sort the sizes");
    }
    last_ = size.value;
  }

  void explain_rest(const Entry& entry) {
    rest_given_ = true;
    if (out_.context().grammar.rest_overwrites && last_ != 0) {
      out_.note("rounding-list", entry.whole,
                "starts `>` at the size named last, so that " + std::to_string(last_) +
                    " MiB gets " + code(text(entry.value)) +
                    " divisions as well; 2.10 and later start after it");
    } else if (!out_.context().grammar.rest_overwrites && !size_given_) {
      out_.note("rounding-list", entry.whole,
                "leaves sizes below 2 MiB unrounded when `>` stands first: name a size before it");
    }
  }

  void warn_about_rest(std::string_view text, std::size_t used, text::Span span) {
    if (used >= text.size()) return;
    const std::string number(text.substr(0, used));
    Problem& problem = out_.warn(
        "rounding-list", span, "reads " + code(text) + " as " + number + ": write " + code(number));
    problem.replacement = number;
  }

  Explanation& out_;
  uint64_t last_ = 0;  ///< size named last
  bool size_given_ = false;
  bool rest_given_ = false;
};

void explain_rounding(Explanation& out, text::Span inside) {
  RoundingList list(out);
  for (const Entry& entry : entries_of(out.string(), inside)) list.explain(entry);
}

void explain_reserves(Explanation& out, const AllocatorKeyRow& key, text::Span inside) {
  for (const Entry& entry : entries_of(out.string(), inside)) {
    if (entry.value.size() == 0) {
      out.refuse("malformed-allocator-string", entry.whole,
                 out.structure_stops() + ": " + code(slice(out.string(), entry.whole)) +
                     " is not `CLASS:RESERVE`");
    } else {
      explain_value(out, key, entry.value);
    }
  }
}

void explain_open_list(Explanation& out, text::Span span) {
  const bool checked = out.context().grammar.open_list_checked;
  const std::string what =
      checked ? out.structure_stops() + ": the list has no `]`"
              : "reads past the end of a list without `]`, which may crash: close it";
  if (out.accepted()) {
    out.warn("malformed-allocator-string", span, what);
  } else {
    out.refuse("malformed-allocator-string", span, what);
  }
}

/// What stands between the list and the next option. From 2.10 on it passes for the comma.
void explain_after_list(Explanation& out, text::Span span) {
  const std::string text = code(slice(out.string(), span));
  if (out.accepted()) {
    out.note("allocator-separator", span,
             "passes over " + text + " after the list, older releases refuse it: take it out");
  } else {
    out.refuse("malformed-allocator-string", span,
               out.structure_stops() + ": " + text + " follows the list");
  }
}

}  // namespace

void explain_list(Explanation& out, const AllocatorKeyRow& key, text::Span span) {
  const bool takes_list =
      key.type == AllocatorValue::rounding || key.type == AllocatorValue::reserve_list;
  if (!takes_list) {
    out.refuse("malformed-allocator-string", span,
               out.value_raises() + ": " + code(key.name) + " takes one value, not a list");
    return;
  }
  const std::string_view value = slice(out.string(), span);
  const std::size_t close = value.find(']');
  if (close == std::string_view::npos) {
    explain_open_list(out, span);
    return;
  }
  const uint32_t end = span.begin + static_cast<uint32_t>(close);
  const text::Span inside = {span.begin + 1, end};
  if (key.type == AllocatorValue::rounding) {
    explain_rounding(out, inside);
  } else {
    explain_reserves(out, key, inside);
  }
  const text::Span after = trimmed(out.string(), {end + 1, span.end});
  if (after.size() != 0) explain_after_list(out, after);
}

}  // namespace vramlint::settings
