// SPDX-License-Identifier: MIT
// Which comments silence which findings, and what is said about those that silence nothing.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/comments.h"
#include "diagnostics/suppressions.h"

namespace vramlint::diagnostics {
namespace {

const knowledge::Knowledge& builtin() { return knowledge::Knowledge::builtin(); }

/// A finding of VRL101 on these lines.
Diagnostic finding_on(uint32_t first, uint32_t last) {
  Diagnostic finding;
  finding.rule = "allocator-setting-too-late";
  finding.code = "VRL101";
  finding.family = "order";
  finding.severity = Severity::error;
  finding.file = "a.py";
  finding.range = {{first, 1}, {last, 5}};
  return finding;
}

std::vector<Diagnostic> left_of(const std::string& text, std::vector<Diagnostic> findings,
                                const Selection& selection = {}) {
  const text::Source source("a.py", text, text::Language::python);
  return apply_suppressions(std::move(findings), {{&source, &selection}}, builtin());
}

/// Whether the text silences a finding on its line.
bool silenced(const std::string& text, uint32_t first, uint32_t last = 0) {
  std::vector<Diagnostic> left = left_of(text, {finding_on(first, last == 0 ? first : last)});
  std::erase_if(left, [](const Diagnostic& each) {
    return each.rule == unused_rule || each.rule == blanket_rule;
  });
  return left.empty();
}

/// What the fixes of all findings about comments make of the text.
std::string fixed(std::string text, std::vector<Diagnostic> findings) {
  const std::vector<Diagnostic> left = left_of(text, std::move(findings));
  for (auto finding = left.rbegin(); finding != left.rend(); ++finding) {
    if (!finding->fix) continue;
    const Edit& edit = finding->fix->edits.front();
    text.replace(edit.span.begin, edit.span.size(), edit.text);
  }
  return text;
}

TEST(Comments, AreNotInsideStrings) {
  const text::Source source("a.py",
                            "a = '#1' # 2\nb = \"\"\"\n# 3\n\"\"\" # 4\nc = r'\\' # 5'\n"
                            "d = 'open # 6\n# 7\ne = f'{x[\"#8\"]}' # 9",
                            text::Language::python);
  std::string found;
  for (const Comment& comment : comments_of(source)) found += source.slice(comment.span);
  EXPECT_EQ(found, "# 2# 4# 7# 9");
}

TEST(Comments, KnowTheirLines) {
  const text::Source source("a.py", "'''\n\n'''\r\n  # a\rx # b\n'\\\n' # c",
                            text::Language::python);
  std::vector<uint32_t> lines;
  std::string own;
  for (const Comment& comment : comments_of(source)) {
    lines.push_back(comment.line);
    own += comment.own_line ? "o" : "-";
  }
  EXPECT_EQ(lines, (std::vector<uint32_t>{4, 5, 7}));
  EXPECT_EQ(own, "o--");
}

std::string joined_lines(const std::string& text) {
  const text::Source source("a.py", text, text::Language::python);
  std::string shown;
  for (const JoinedLines& lines : scan_comments(source).joined) {
    shown += std::to_string(lines.first) + "-" + std::to_string(lines.last) + " ";
  }
  return shown;
}

TEST(Comments, CanNotStandBetweenJoinedLines) {
  EXPECT_EQ(joined_lines("x = 1\ny = 2\n"), "");
  EXPECT_EQ(joined_lines("\"\"\"\n\n\"\"\" + \\\n'''\n'''\n\nx = \\\r\n1\n"), "1-5 7-8 ");
  EXPECT_EQ(joined_lines("'a\\\r\nb' # c\n'open\nx\n"), "1-2 ");
  EXPECT_EQ(joined_lines("'''\r\r\n"), "1-3 ");
  EXPECT_EQ(joined_lines("# \\\nx\n\\"), "");
}

TEST(Suppression, WorksOnItsLine) {
  EXPECT_TRUE(silenced("x = 1  # vramlint: ignore[VRL101]\n", 1));
  EXPECT_TRUE(silenced("x = 1  # vramlint: ignore[allocator-setting-too-late]\n", 1));
  EXPECT_TRUE(silenced("x = 1  # vramlint: ignore[order]\n", 1));
  EXPECT_TRUE(silenced("x = 1  # type: ignore  # vramlint:ignore[ VRL999,VRL101 ] because\n", 1));
  EXPECT_FALSE(silenced("x = 1  # vramlint: ignore[VRL999]\n", 1));
  EXPECT_FALSE(silenced("x = 1  # vramlint: ignored\n", 1));
  EXPECT_FALSE(silenced("x = 1  # vramlint: ignore[VRL101]\ny = 2\n", 2));
  EXPECT_FALSE(silenced("x = '# vramlint: ignore'\n", 1));
}

TEST(Suppression, OnALineOfItsOwnWorksOnTheNext) {
  EXPECT_TRUE(silenced("# vramlint: ignore[VRL101]\nx = 1\n", 2));
  EXPECT_TRUE(silenced("# vramlint: ignore[VRL101]\n# why\nx = 1\n", 3));
  EXPECT_FALSE(silenced("# vramlint: ignore[VRL101]\n\nx = 1\n", 3));
  EXPECT_FALSE(silenced("# noqa: VRL101\nx = 1\n", 2));
}

TEST(Suppression, WorksOnAnyLineOfAStatement) {
  const std::string call = "f(\n    1,  # vramlint: ignore[VRL101]\n)\n";
  EXPECT_TRUE(silenced(call, 1, 3));
  EXPECT_FALSE(silenced(call, 3, 3));
}

TEST(Suppression, WorksBehindAStringThatBeganEarlier) {
  const std::string text = "x = \"\"\"\n\n\"\"\"  # vramlint: ignore[VRL101]\ny = 1\n";
  for (const uint32_t line : {1u, 2u, 3u}) EXPECT_TRUE(silenced(text, line)) << line;
  EXPECT_FALSE(silenced(text, 4));
  EXPECT_TRUE(silenced("# vramlint: ignore[VRL101]\nx = \\\n  1\n", 3));
}

TEST(Suppression, OfAFileWorksEverywhere) {
  EXPECT_TRUE(silenced("x = 1\n\n\n# vramlint: ignore-file[VRL101]\n", 1));
  EXPECT_TRUE(silenced("# vramlint: ignore-file\n\n\nx = 1\n", 4));
  EXPECT_FALSE(silenced("'''\n# vramlint: ignore-file\n'''\nx = 1\n", 4));
}

TEST(Suppression, ReadsNoqaAsOthersDo) {
  EXPECT_TRUE(silenced("x = 1  # noqa\n", 1));
  EXPECT_TRUE(silenced("x = 1  # NOQA:E501,VRL101\n", 1));
  EXPECT_TRUE(silenced("x = 1  # noqa: E501 VRL101 and a reason\n", 1));
  EXPECT_FALSE(silenced("x = 1  # noqa: E501\n", 1));
  EXPECT_FALSE(silenced("x = 1  # noqa: whatever\n", 1));
  EXPECT_FALSE(silenced("x = 1  # noqable\n", 1));
}

TEST(UnusedSuppression, IsRemovedWithItsLineOrItsBlanks) {
  EXPECT_EQ(fixed("x = 1  # vramlint: ignore[VRL101]\ny\n", {}), "x = 1\ny\n");
  EXPECT_EQ(fixed("a\n  # vramlint: ignore[VRL101] why\r\nx = 1\n", {}), "a\nx = 1\n");
  EXPECT_EQ(fixed("x  # vramlint: ignore # keep\n", {}), "x  # keep\n");
  EXPECT_EQ(fixed("x  # keep  # vramlint: ignore[a, b]", {}), "x  # keep");
  EXPECT_EQ(fixed("# vramlint: ignore-file[a]\nx\n", {}), "x\n");
}

TEST(UnusedSuppression, LosesOnlyTheIdleWords) {
  EXPECT_EQ(fixed("x  # vramlint: ignore[no-such-rule, VRL101]\n", {finding_on(1, 1)}),
            "x  # vramlint: ignore[VRL101]\n");
}

TEST(UnusedSuppression, SaysWhichWordsNameNothing) {
  const auto said = [](const std::string& text) {
    const std::vector<Diagnostic> left = left_of(text, {});
    if (left.size() != 1) return std::to_string(left.size()) + " findings";
    return std::string(name_of(left[0].severity)) + ": " + left[0].message;
  };
  EXPECT_EQ(said("x  # vramlint: ignore[VRL101]\n"), "note: `VRL101` silences nothing here");
  EXPECT_EQ(said("x  # vramlint: ignore[VRL1]\n"),
            "warning: `VRL1` is no rule, code or family: write whole codes, a comment takes no "
            "beginnings");
  EXPECT_EQ(said("x  # noqa: E501, VRL999\n"), "warning: `VRL999` is no rule, code or family");
  EXPECT_EQ(said("x  # vramlint: ignore[oder]\n"),
            "warning: `oder` is no rule, code or family, did you mean `order`?");
}

TEST(UnusedSuppression, IsSilentAboutOthers) {
  EXPECT_TRUE(left_of("x  # noqa: E501\ny  # noqa\nz  # noqa: whatever\n", {}).empty());
  EXPECT_TRUE(left_of("x  # vramlint: ignore[VRL101]\n", {finding_on(1, 1)}).empty());
}

TEST(UnusedSuppression, IsSilentAboutRulesThatAreOff) {
  const Result<Selection> none = Selection::make({}, {"unused-suppression"}, builtin());
  ASSERT_TRUE(none);
  EXPECT_TRUE(left_of("x  # vramlint: ignore[no-such-rule]\n", {}, none.value()).empty());
}

TEST(UnusedSuppression, IsSilencedByItsNameOnly) {
  EXPECT_EQ(left_of("x  # vramlint: ignore\n", {}).size(), 1u);
  EXPECT_TRUE(left_of("# vramlint: ignore-file[unused-suppression]\nx  # vramlint: ignore[a]\n", {})
                  .empty());
}

TEST(UnusedSuppression, JudgesCodesOfOursInNoqa) {
  for (const knowledge::RulePage& page : builtin().pages()) {
    if (page.name == unused_rule) continue;
    const std::string code(page.code);
    EXPECT_EQ(fixed("x  # noqa: E501, " + code + "\n", {}), "x  # noqa: E501\n");
    EXPECT_EQ(fixed("x  # noqa: " + code + "\n", {}), "x\n");
  }
}

/// The text with a comment for a finding on the line.
std::string with_comment(std::string text, uint32_t line) {
  const text::Source source("a.py", text, text::Language::python);
  const Diagnostic finding = finding_on(line, line);
  const AddedSuppressions added = Suppressions::read(source, builtin()).add({&finding});
  for (const Edit& edit : added.edits) {
    text.replace(edit.span.begin, edit.span.size(), edit.text);
  }
  return text;
}

TEST(AddedSuppression, StandsWhereItSilences) {
  const std::string comment = "  # vramlint: ignore[allocator-setting-too-late]";
  EXPECT_EQ(with_comment("x\ny", 2), "x\ny" + comment);
  EXPECT_EQ(with_comment("x = '''\n''' \r\ny\r\n", 1), "x = '''\n'''" + comment + "\r\ny\r\n");
  EXPECT_EQ(with_comment("x  # vramlint: ignore[a]\n", 1),
            "x  # vramlint: ignore[a, allocator-setting-too-late]\n");
  EXPECT_EQ(with_comment("x\n", 9), "x\n");
}

TEST(BlanketSuppression, IsReportedWithTheRulesThatItSilences) {
  const std::vector<Diagnostic> left = left_of("x  # vramlint: ignore\n", {finding_on(1, 1)});
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].rule, blanket_rule);
  EXPECT_EQ(fixed("x  # vramlint: ignore why\n", {finding_on(1, 1)}),
            "x  # vramlint: ignore[allocator-setting-too-late] why\n");
  EXPECT_FALSE(left_of("x  # noqa\n", {finding_on(1, 1)})[0].fix);
  EXPECT_TRUE(left_of("x  # noqa\n", {}).empty());
}

TEST(Suppressions, SurviveHostileBytes) {
  std::string text(200000, '#');
  EXPECT_TRUE(left_of(text, {}).empty());
  text.assign("# vramlint: ignore[");
  text.append(200000, ',');
  EXPECT_TRUE(left_of(text, {}).empty());
  text.assign("'''\0# noqa\xff\xfe");
  EXPECT_EQ(left_of(text, {finding_on(1, 4000000000u)}).size(), 1u);
}

}  // namespace
}  // namespace vramlint::diagnostics
