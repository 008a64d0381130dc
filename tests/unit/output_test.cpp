// SPDX-License-Identifier: MIT
// How source lines are shown: widths, marks and cuts that the samples of tests/output don't pin
// down.
#include <gtest/gtest.h>

#include <string>

#include "output/frame.h"
#include "output/visible.h"

namespace vramlint::output {
namespace {

Frame frame_at(const std::string& text, diagnostics::Range range) {
  const text::Source source("a.py", text, text::Language::python);
  return frame_of(source, std::nullopt, range, {'^', 0});
}

TEST(Glyph, HasTheWidthOfItsCells) {
  EXPECT_EQ(next_glyph("a", 0).width, 1);
  EXPECT_EQ(next_glyph("\t", 0).width, 4);
  EXPECT_EQ(next_glyph("\t", 3).width, 1);
  EXPECT_EQ(next_glyph("日", 0).width, 2);
  EXPECT_EQ(next_glyph("\xcc\x81", 0).width, 0);
}

TEST(Glyph, IsAlwaysValidText) {
  EXPECT_EQ(visible(std::string("\x1b[0m\x7f\0\n", 7)), "␛[0m␡␀␊");
  EXPECT_EQ(visible("\xff\xc0\x80\xed\xa0\x80\xe2\x82"), "��������");
}

TEST(Frame, MarksWhatTheRangeCovers) {
  const Frame frame = frame_at("\tx = 日本 + y\n", {{1, 6}, {1, 8}});
  ASSERT_EQ(frame.lines.size(), 1u);
  EXPECT_EQ(frame.lines[0].text, "    x = 日本 + y");
  EXPECT_EQ(frame.lines[0].marks, "        ^^^^");
}

TEST(Frame, PointsBehindTheLineForAnEmptyRange) {
  EXPECT_EQ(frame_at("abc\n", {{1, 4}, {1, 4}}).lines[0].marks, "   ^");
  EXPECT_EQ(frame_at("", {{1, 1}, {1, 1}}).lines[0].marks, "^");
}

TEST(Frame, HasNoLinesForAPlaceThatIsNotThere) {
  EXPECT_TRUE(frame_at("abc\n", {{9, 1}, {9, 2}}).lines.empty());
  EXPECT_TRUE(frame_at("abc\n", {{0, 0}, {0, 0}}).lines.empty());
}

TEST(Frame, StaysNarrowWhateverTheLine) {
  const Frame frame = frame_at(std::string(10 << 20, 'x'), {{1, 60000}, {1, 9000000}});
  ASSERT_EQ(frame.lines.size(), 1u);
  EXPECT_LT(frame.lines[0].text.size(), 200u);
  EXPECT_NE(frame.lines[0].marks.find('^'), std::string::npos);
}

}  // namespace
}  // namespace vramlint::output
