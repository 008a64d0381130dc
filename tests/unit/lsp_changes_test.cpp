// SPDX-License-Identifier: MIT
// Changes that come together make the same text as those that come one by one.
#include "lsp/changes.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace vramlint::lsp {
namespace {

std::string after(const std::string& text, const std::vector<Change>& changes,
                  Encoding encoding = Encoding::utf16) {
  return changed(text::Source("a.py", text, text::Language::python), changes, encoding);
}

TEST(lsp_changes, each_counts_in_what_the_one_before_has_left) {
  EXPECT_EQ(after("a\nb\n", {{Range{{0, 1}, {1, 0}}, ""}, {Range{{0, 1}, {0, 1}}, "x"}}), "axb\n");
  EXPECT_EQ(after("a", {{std::nullopt, "b\nc"}, {Range{{1, 1}, {9, 9}}, "d"}}), "b\ncd");
  EXPECT_EQ(after("", {{Range{{7, 0}, {9, 0}}, "a"}, {Range{{7, 0}, {9, 0}}, "b"}}), "ab");
}

TEST(lsp_changes, line_ends_that_come_together_or_are_parted) {
  EXPECT_EQ(after("a\rb", {{Range{{1, 0}, {1, 0}}, "\n"}, {Range{{1, 0}, {1, 0}}, "x"}}),
            "a\r\nxb");
}

TEST(lsp_changes, all_at_once_or_one_by_one) {
  std::mt19937 random(20261201);
  const auto below = [&random](uint32_t count) { return static_cast<uint32_t>(random() % count); };
  const std::vector<std::string> pieces = {"",     "a",    "\n",       "\r",
                                           "\r\n", "b\nc", "\xc3\xa9", "\xf0\x9f\x94\xa5"};
  for (int round = 0; round < 300; ++round) {
    std::string one_by_one = "x = 1\ny = 2\r\n\rz";
    const std::string before = one_by_one;
    std::vector<Change> changes;
    for (int step = 0; step < 30; ++step) {
      const Position start{below(8), below(6)};
      const Range range{start, {start.line + below(3), below(6)}};
      changes.push_back({range, pieces[below(static_cast<uint32_t>(pieces.size()))]});
      one_by_one = after(one_by_one, {changes.back()});
    }
    ASSERT_EQ(after(before, changes), one_by_one) << round;
  }
}

}  // namespace
}  // namespace vramlint::lsp
