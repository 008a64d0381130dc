// SPDX-License-Identifier: MIT
// One list from many entries, and which rules speak.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "diagnostics/merge.h"
#include "diagnostics/selection.h"

namespace vramlint::diagnostics {
namespace {

Diagnostic finding(std::string file, uint32_t line, std::string message,
                   Severity severity = Severity::warning) {
  Diagnostic finding;
  finding.rule = "a-rule";
  finding.code = "VRL101";
  finding.family = "order";
  finding.severity = severity;
  finding.file = std::move(file);
  finding.message = std::move(message);
  finding.span = {line * 10, line * 10 + 5};
  finding.range = {{line, 1}, {line, 6}};
  return finding;
}

std::string messages(const std::vector<Diagnostic>& findings) {
  std::string text;
  for (const Diagnostic& each : findings) text += each.message;
  return text;
}

TEST(Merge, SortsByPathAndPosition) {
  EXPECT_EQ(messages(merge_findings(
                {{finding("b.py", 1, "c")}, {finding("a.py", 10, "b"), finding("a.py", 9, "a")}})),
            "abc");
}

TEST(Merge, ShowsAPlaceOnce) {
  EXPECT_EQ(
      messages(merge_findings({{finding("m.py", 1, "first")}, {finding("m.py", 1, "later")}})),
      "first");
  EXPECT_EQ(messages(merge_findings(
                {{finding("m.py", 1, "first")}, {finding("m.py", 1, "graver", Severity::error)}})),
            "graver");
}

TEST(Merge, KeepsOtherRulesAtTheSamePlace) {
  Diagnostic other = finding("m.py", 1, "b");
  other.rule = "b-rule";
  other.code = "VRL102";
  EXPECT_EQ(messages(merge_findings({{finding("m.py", 1, "a"), other}})), "ab");
}

TEST(Merge, ShowsAnErrorOnce) {
  const std::vector<FileError> merged =
      merge_errors({{"b.py", "gone"}, {"a.py", "gone"}, {"b.py", "gone"}});
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_EQ(merged[0].file, "a.py");
}

/// Asked about a rule `unused-suppression`, VRL901, of the family `environment`.
bool allowed(const std::vector<std::string>& select, const std::vector<std::string>& ignore) {
  const Result<Selection> selection =
      Selection::make(select, ignore, knowledge::Knowledge::builtin());
  return selection && selection.value().allows("unused-suppression", "VRL901", "environment");
}

TEST(Selection, TakesCodesNamesFamiliesAndBeginnings) {
  for (const char* selector :
       {"ALL", "VRL", "VRL9", "VRL901", "unused-suppression", "environment"}) {
    EXPECT_TRUE(allowed({selector}, {})) << selector;
    EXPECT_FALSE(allowed({"ALL"}, {selector})) << selector;
  }
}

TEST(Selection, LetsTheNarrowerWordWin) {
  EXPECT_TRUE(allowed({}, {}));
  EXPECT_TRUE(allowed({"VRL901"}, {"environment"}));
  EXPECT_FALSE(allowed({"environment"}, {"VRL901"}));
  EXPECT_TRUE(allowed({"VRL90"}, {"VRL9"}));
  EXPECT_FALSE(allowed({"VRL9"}, {"VRL90"}));
}

TEST(Selection, LeavesRulesOutThatHaveToBeAskedFor) {
  const auto is_on = [](const std::vector<std::string>& select) {
    const Result<Selection> selection =
        Selection::make(select, {}, knowledge::Knowledge::builtin());
    return selection && selection.value().allows("blanket-suppression", "VRL902", "environment");
  };
  EXPECT_FALSE(is_on({}));
  EXPECT_FALSE(is_on({"DEFAULT"}));
  EXPECT_FALSE(is_on({"DEFAULT", "VRL901"}));
  for (const char* selector : {"ALL", "VRL9", "VRL902", "environment", "blanket-suppression"}) {
    EXPECT_TRUE(is_on({selector})) << selector;
  }
}

TEST(Selection, RefusesWhatNamesNoRule) {
  const Result<Selection> selection =
      Selection::make({"unused-supression"}, {}, knowledge::Knowledge::builtin());
  ASSERT_FALSE(selection);
  EXPECT_EQ(selection.error().advice, "did you mean `unused-suppression`?");
}

}  // namespace
}  // namespace vramlint::diagnostics
