// SPDX-License-Identifier: MIT
//
// Lines in common are found by the greedy algorithm of Myers (An O(ND) Difference Algorithm, 1986),
// on what is left between the common beginning and end. Fixes change a few lines of a file, so that
// D stays small; past a bound the middle is shown as replaced.
#include "fix/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vramlint::fix {

namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t context = 3;
constexpr int most_differences = 2000;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// Lines `before` up to `before_end` have become lines `after` up to `after_end`.
struct Change {
  std::size_t before = 0;
  std::size_t before_end = 0;
  std::size_t after = 0;
  std::size_t after_end = 0;
};

/// One step of the way back: a line that only one of the texts has.
struct Step {
  std::size_t before;
  std::size_t after;
  bool inserted;
};

/// The shortest way from one list to the other; nothing when it is longer than the bound.
class Myers {
 public:
  Myers(const Lines& before, const Lines& after) : before_(before), after_(after) {}

  bool find(std::vector<Step>& steps) {
    const auto most = std::min<std::ptrdiff_t>(most_differences, size(before_) + size(after_));
    std::vector<std::ptrdiff_t> reached(static_cast<std::size_t>(2 * most + 3), 0);
    for (std::ptrdiff_t d = 0; d <= most; ++d) {
      trace_.push_back({reached.begin() + (most - d + 1), reached.begin() + (most + d + 2)});
      for (std::ptrdiff_t k = -d; k <= d; k += 2) {
        const auto at = [&](std::ptrdiff_t diagonal) -> std::ptrdiff_t& {
          return reached[static_cast<std::size_t>(most + 1 + diagonal)];
        };
        const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
        std::ptrdiff_t x = down ? at(k + 1) : at(k - 1) + 1;
        while (x < size(before_) && x - k < size(after_) && same(x, x - k)) ++x;
        at(k) = x;
        if (x >= size(before_) && x - k >= size(after_)) return walk_back(d, steps), true;
      }
    }
    return false;
  }

 private:
  static std::ptrdiff_t size(const Lines& lines) {
    return static_cast<std::ptrdiff_t>(lines.size());
  }

  bool same(std::ptrdiff_t x, std::ptrdiff_t y) const {
    return before_[static_cast<std::size_t>(x)] == after_[static_cast<std::size_t>(y)];
  }

  void walk_back(std::ptrdiff_t d, std::vector<Step>& steps) const {
    std::ptrdiff_t x = size(before_);
    std::ptrdiff_t y = size(after_);
    for (; d > 0; --d) {
      const std::vector<std::ptrdiff_t>& reached = trace_[static_cast<std::size_t>(d)];
      const auto at = [&](std::ptrdiff_t k) { return reached[static_cast<std::size_t>(k + d)]; };
      const std::ptrdiff_t k = x - y;
      const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
      x = down ? at(k + 1) : at(k - 1);
      y = x - (down ? k + 1 : k - 1);
      steps.push_back({static_cast<std::size_t>(x), static_cast<std::size_t>(y), down});
    }
    std::ranges::reverse(steps);
  }

  const Lines& before_;
  const Lines& after_;
  std::vector<std::vector<std::ptrdiff_t>> trace_;  ///< by number of differences: diagonals −d … d
};

std::vector<Change> changes_between(const Lines& before, const Lines& after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && *(before.end() - 1 - tail) == *(after.end() - 1 - tail)) ++tail;
  const Change middle{head, before.size() - tail, head, after.size() - tail};
  if (middle.before == middle.before_end && middle.after == middle.after_end) return {};
  const Lines left(before.begin() + head, before.end() - tail);
  const Lines right(after.begin() + head, after.end() - tail);
  std::vector<Step> steps;
  if (!Myers(left, right).find(steps)) return {middle};
  std::vector<Change> changes;
  for (const Step& step : steps) {
    const std::size_t x = step.before + head;
    const std::size_t y = step.after + head;
    const bool goes_on =
        !changes.empty() && changes.back().before_end == x && changes.back().after_end == y;
    if (!goes_on) changes.push_back({x, x, y, y});
    (step.inserted ? changes.back().after_end : changes.back().before_end) += 1;
  }
  return changes;
}

void add_lines(std::string& text, char mark, const Lines& lines, std::size_t begin,
               std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    text += mark;
    text += lines[i];
    if (!lines[i].ends_with('\n')) text += "\n\\ No newline at end of file\n";
  }
}

/// `12,3`, as a hunk's head counts: an empty stretch is named by the line before it.
std::string stretch(std::size_t begin, std::size_t end) {
  if (end - begin == 1) return fmt::format("{}", end);
  return fmt::format("{},{}", end == begin ? begin : begin + 1, end - begin);
}

/// A name in the head of a diff; a tab ends one with blanks.
std::string head(std::string_view mark, char side, std::string_view path) {
  const bool is_absolute = path.starts_with('/');
  const bool has_blank = path.find(' ') != std::string_view::npos;
  return fmt::format("{} {}{}{}\n", mark, is_absolute ? "" : std::string{side, '/'}, path,
                     has_blank ? "\t" : "");
}

}  // namespace

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after) {
  const Lines old_lines = lines_of(before);
  const Lines new_lines = lines_of(after);
  const std::vector<Change> changes = changes_between(old_lines, new_lines);
  if (changes.empty()) return {};
  std::string text = head("---", 'a', path) + head("+++", 'b', path);
  for (std::size_t first = 0; first < changes.size();) {
    std::size_t last = first;
    while (last + 1 < changes.size() &&
           changes[last + 1].before - changes[last].before_end <= 2 * context) {
      ++last;
    }
    const std::size_t lead = std::min(context, changes[first].before);
    const std::size_t trail = std::min(context, old_lines.size() - changes[last].before_end);
    const std::size_t begin = changes[first].before - lead;
    text += fmt::format("@@ -{} +{} @@\n", stretch(begin, changes[last].before_end + trail),
                        stretch(changes[first].after - lead, changes[last].after_end + trail));
    std::size_t at = begin;
    for (std::size_t i = first; i <= last; ++i) {
      add_lines(text, ' ', old_lines, at, changes[i].before);
      add_lines(text, '-', old_lines, changes[i].before, changes[i].before_end);
      add_lines(text, '+', new_lines, changes[i].after, changes[i].after_end);
      at = changes[i].before_end;
    }
    add_lines(text, ' ', old_lines, at, at + trail);
    first = last + 1;
  }
  return text;
}

}  // namespace vramlint::fix
