// SPDX-License-Identifier: MIT
#include "fix/edits.h"

#include <gtest/gtest.h>

#include "fix/diff.h"
#include "fix/faults.h"

namespace vramlint::fix {
namespace {

diagnostics::Edit edit(uint32_t begin, uint32_t end, std::string text) {
  return {"a.py", {begin, end}, {}, std::move(text)};
}

TEST(fix_edits, edits_may_come_in_any_order) {
  FileEdits edits;
  EXPECT_TRUE(edits.add(edit(4, 5, "Z")));
  EXPECT_TRUE(edits.add(edit(0, 1, "A")));
  EXPECT_EQ(edits.made_of("x = y\n"), "A = Z\n");
}

TEST(fix_edits, overlapping_spans_conflict) {
  FileEdits edits;
  EXPECT_TRUE(edits.add(edit(2, 6, "")));
  EXPECT_FALSE(edits.add(edit(5, 8, "")));
  EXPECT_FALSE(edits.add(edit(0, 3, "")));
  EXPECT_TRUE(edits.add(edit(6, 8, "")));
}

TEST(fix_edits, an_insertion_conflicts_where_another_edit_begins_or_ends) {
  FileEdits edits;
  EXPECT_TRUE(edits.add(edit(2, 6, "")));
  EXPECT_FALSE(edits.add(edit(2, 2, "a")));
  EXPECT_FALSE(edits.add(edit(6, 6, "a")));
  EXPECT_TRUE(edits.add(edit(8, 8, "a")));
  EXPECT_FALSE(edits.add(edit(8, 8, "b")));
}

TEST(fix_edits, places_move_with_the_text) {
  const std::string_view text = "abcdef";
  FileEdits edits;
  edits.add(edit(1, 3, "12345"));
  edits.add(edit(5, 5, "!"));
  EXPECT_EQ(edits.made_of(text), "a12345de!f");
  EXPECT_EQ(edits.moved(0, text), 0u);
  EXPECT_EQ(edits.moved(2, text), 1u);
  EXPECT_EQ(edits.moved(3, text), 6u);
  EXPECT_EQ(edits.moved(5, text), 9u);
}

TEST(fix_edits, new_lines_end_as_the_others_do) {
  FileEdits edits;
  edits.add(edit(3, 3, "b\nc\n"));
  EXPECT_EQ(edits.made_of("a\r\nd\r\n"), "a\r\nb\r\nc\r\nd\r\n");
  EXPECT_EQ(with_line_ends_of("a\rb\r", 2, "x\n"), "x\r");
  EXPECT_EQ(with_line_ends_of("no line end", 2, "x\n"), "x\n");
}

TEST(fix_edits, a_byte_order_mark_stays_first) {
  FileEdits edits;
  edits.add(edit(0, 0, "import os\n"));
  EXPECT_EQ(edits.made_of("\xef\xbb\xbfx = 1\n"), "\xef\xbb\xbfimport os\nx = 1\n");
}

TEST(fix_faults, broken_text_has_faults_and_an_empty_block_too) {
  EXPECT_EQ(syntax_faults("x = f(1)\n"), 0u);
  EXPECT_GT(syntax_faults("x = f(1\n"), 0u);
  EXPECT_GT(syntax_faults("if x:\n\ny = 1\n"), 0u);
  EXPECT_EQ(syntax_faults(""), 0u);
}

TEST(fix_diff, one_changed_line_with_its_surroundings) {
  EXPECT_EQ(unified_diff("a.py", "1\n2\n3\n4\n5\n", "1\n2\nx\n4\n5\n"),
            "--- a/a.py\n+++ b/a.py\n@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+x\n 4\n 5\n");
  EXPECT_EQ(unified_diff("a.py", "same\n", "same\n"), "");
}

TEST(fix_diff, changes_far_apart_are_hunks_of_their_own) {
  std::string before;
  for (int i = 0; i < 30; ++i) before += std::to_string(i) + "\n";
  std::string after = before;
  after.replace(after.find("5\n"), 1, "five");
  after.insert(after.find("25\n"), "new\n");
  const std::string diff = unified_diff("a b.py", before, after);
  EXPECT_NE(diff.find("--- a/a b.py\t\n"), std::string::npos);
  EXPECT_NE(diff.find("@@ -3,7 +3,7 @@"), std::string::npos) << diff;
  EXPECT_NE(diff.find("@@ -23,6 +23,7 @@"), std::string::npos) << diff;
}

TEST(fix_diff, a_missing_last_line_end_is_named) {
  EXPECT_EQ(unified_diff("a.py", "x", "y"),
            "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n"
            "\\ No newline at end of file\n");
}

}  // namespace
}  // namespace vramlint::fix
