// SPDX-License-Identifier: MIT
// How findings are known again: fingerprints, and what a baseline makes of a run.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "diagnostics/baseline.h"
#include "diagnostics/fingerprint.h"

namespace vramlint::diagnostics {
namespace {

Diagnostic finding_on(uint32_t line) {
  Diagnostic finding;
  finding.code = "VRL101";
  finding.file = "a.py";
  finding.range = {{line, 1}, {line, 2}};
  return finding;
}

std::string line_of(const std::string& text) {
  const text::Source source("a.py", text, text::Language::python);
  return line_of_finding(finding_on(1), &source);
}

TEST(LineOfFinding, HasItsBlanksMadeOne) {
  EXPECT_EQ(line_of("\t x  =\t1  \r\ny"), "x = 1");
  EXPECT_EQ(line_of(""), "");
}

TEST(LineOfFinding, IsValidTextAndShort) {
  EXPECT_EQ(line_of("x\xff = \xc3("), "x\xef\xbf\xbd = \xef\xbf\xbd(");
  EXPECT_LT(line_of(std::string(1 << 20, 'x')).size(), 210u);
  EXPECT_EQ(line_of_finding(finding_on(4000000000u), nullptr), "");
}

std::vector<std::string> fingerprints(std::vector<Diagnostic> findings,
                                      const std::vector<std::string>& lines) {
  set_fingerprints(findings, lines);
  std::vector<std::string> made;
  for (const Diagnostic& finding : findings) made.push_back(finding.fingerprint);
  return made;
}

TEST(Fingerprints, DependOnCodeFileLineAndCount) {
  const std::vector<std::string> made =
      fingerprints({finding_on(1), finding_on(2), finding_on(3)}, {"x", "x", "y"});
  EXPECT_EQ(made[0].size(), 16u);
  EXPECT_NE(made[0], made[1]);
  EXPECT_NE(made[0], made[2]);
  EXPECT_EQ(made, fingerprints({finding_on(7), finding_on(8), finding_on(9)}, {"x", "x", "y"}));
  // Published: other tools keep them between runs.
  EXPECT_EQ(made[0], "92bbf074b3691fb5");
}

Baseline baseline_of(const std::vector<KnownFinding>& findings) {
  Baseline baseline;
  for (const KnownFinding& finding : findings) baseline.add(finding, "a-rule");
  return baseline;
}

/// Files whose names begin with `gone` are gone, with `else` not checked.
BaselineMatch match(const Baseline& baseline, const std::vector<KnownFinding>& findings) {
  BaselineQuestions questions;
  questions.state_of = [](const std::string& file) {
    if (file.starts_with("gone")) return BaselineFile::gone;
    return file.starts_with("else") ? BaselineFile::elsewhere : BaselineFile::checked;
  };
  questions.was_looked_for = [](const KnownFinding& finding) { return finding.code != "VRL999"; };
  return match_baseline(baseline, findings, questions);
}

TEST(Baseline, IsReadAsItIsWritten) {
  const Baseline baseline = baseline_of(
      {{"b.py", "VRL101", "x = \"1\""}, {"a\n.py", "VRL101", ""}, {"b.py", "VRL2", "y"}});
  const Result<Baseline> read = Baseline::parse("b.json", baseline.text());
  ASSERT_TRUE(read);
  EXPECT_EQ(read.value().text(), baseline.text());
  EXPECT_EQ(Baseline().text(),
            "{\n  \"version\": 1,\n  \"tool\": \"vramlint\",\n  \"files\": {}\n}\n");
  EXPECT_TRUE(Baseline::parse("b.json", Baseline().text()));
}

TEST(Baseline, RefusesNumbersThatAreTooLarge) {
  EXPECT_FALSE(Baseline::parse("b.json", R"({"version": 1e999, "files": {}})"));
}

TEST(Baseline, CountsEqualFindings) {
  const Baseline baseline = baseline_of({{"a", "VRL1", "x"}, {"a", "VRL1", "x"}});
  const BaselineMatch more =
      match(baseline, {{"a", "VRL1", "x"}, {"a", "VRL1", "x"}, {"a", "VRL1", "x"}});
  EXPECT_EQ(more.known, (std::vector<bool>{true, true, false}));
  const BaselineMatch fewer = match(baseline, {{"a", "VRL1", "x"}});
  EXPECT_EQ(fewer.stale.entries().begin()->second.count, 1u);
  EXPECT_EQ(fewer.pruned.entries().begin()->second.count, 1u);
}

TEST(Baseline, JudgesOnlyWhatWasLookedFor) {
  const BaselineMatch partial = match(baseline_of({{"a", "VRL1", "x"}, {"else", "VRL1", "x"}}), {});
  EXPECT_FALSE(partial.complete);
  EXPECT_TRUE(partial.stale.entries().empty());
  EXPECT_EQ(partial.unjudged.entries().size(), 1u);
  const BaselineMatch off = match(baseline_of({{"a", "VRL999", "x"}, {"a", "VRL1", "x"}}), {});
  EXPECT_EQ(off.stale.entries().size(), 1u);
  EXPECT_EQ(off.pruned.entries().size(), 1u);
}

TEST(Baseline, FollowsRenamedFiles) {
  const Baseline baseline = baseline_of({{"gone", "VRL1", "x"}, {"gone", "VRL1", "y"}});
  const BaselineMatch found = match(baseline, {{"new", "VRL1", "x"}, {"new", "VRL1", "z"}});
  EXPECT_EQ(found.known, (std::vector<bool>{true, false}));
  EXPECT_EQ(found.renamed.at("gone"), "new");
  EXPECT_EQ(found.stale.entries().size(), 1u);
  ASSERT_EQ(found.pruned.entries().size(), 1u);
  EXPECT_EQ(found.pruned.entries().begin()->first.file, "new");
}

}  // namespace
}  // namespace vramlint::diagnostics
