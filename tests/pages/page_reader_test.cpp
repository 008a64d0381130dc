// SPDX-License-Identifier: MIT
#include "page_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case_runner.h"

namespace vramlint::pages {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A page whose only case holds these lines.
Page with_case(const std::string& lines) {
  return read_page("# a-rule\n\n```toml rule\n```\n\n## Cases\n\n```python\n" + lines + "```\n");
}

TEST(page_reader, takes_title_headings_and_rule_block) {
  const Page page =
      read_page("# a-rule\n\n```toml rule\ncode = 1\n```\n\n## First\n\ntext\n\n## Cases\n");
  EXPECT_EQ(page.title, "a-rule");
  EXPECT_TRUE(page.has_rule_block);
  EXPECT_THAT(page.headings, ElementsAre("First", "Cases"));
  EXPECT_THAT(page.faults, IsEmpty());
}

TEST(page_reader, carets_name_columns_of_the_code_line_above) {
  const Page page = with_case("import os\nrun(now)\n#   ^^^ one-rule\n# ^ two\n");
  ASSERT_THAT(page.cases, SizeIs(1));
  const PageCase& only = page.cases.front();
  EXPECT_EQ(only.files.front().text, "import os\nrun(now)\n");
  EXPECT_THAT(only.files.front().page_lines, ElementsAre(9, 10));
  EXPECT_THAT(only.expected,
              ElementsAre(Place{"main.py", 2, 3, 4, "two"}, Place{"main.py", 2, 5, 8, "one-rule"}));
}

TEST(page_reader, a_hash_that_touches_a_caret_is_the_first_column) {
  const Page page = with_case("    run()\n    #^^^^ one-rule\n");
  EXPECT_THAT(page.cases.at(0).expected, ElementsAre(Place{"main.py", 1, 5, 10, "one-rule"}));
}

TEST(page_reader, ordinary_comments_stay) {
  const Page page = with_case("# why ^ here\nx = 1\n");
  EXPECT_EQ(page.cases.at(0).files.at(0).text, "# why ^ here\nx = 1\n");
}

TEST(page_reader, files_and_directives_are_taken_out) {
  const Page page = with_case(
      "# target: torch 2.8\n# level: note\n# file: a.py\nx = 1\n# file: main.py\nimport a\n");
  const PageCase& only = page.cases.at(0);
  EXPECT_THAT(only.targets, ElementsAre("torch 2.8"));
  EXPECT_TRUE(only.with_notes);
  ASSERT_THAT(only.files, SizeIs(2));
  EXPECT_EQ(only.files[0].path, "a.py");
  EXPECT_EQ(only.files[1].text, "import a\n");
  EXPECT_EQ(only.entry, "main.py");
}

TEST(page_reader, the_first_file_is_the_entry_without_a_main) {
  const Page page = with_case("# file: app/train.py\nimport app\n# file: app/__init__.py\n");
  EXPECT_EQ(page.cases.at(0).entry, "app/train.py");
}

TEST(page_reader, a_fixed_fence_belongs_to_the_case_before) {
  const Page page =
      read_page("# r\n## Cases\n```python\nx=1\n```\n\n```python fixed\nx = 1\n```\n");
  ASSERT_THAT(page.cases, SizeIs(1));
  EXPECT_EQ(page.cases[0].fixed.at(0).text, "x = 1\n");
}

TEST(page_reader, the_language_of_a_case_names_its_file) {
  const Page page = read_page("# r\n## Cases\n```shell\nexport A=1\n```\n```yaml\na: 1\n```\n");
  ASSERT_THAT(page.cases, SizeIs(2));
  EXPECT_EQ(page.cases[0].entry, "run.sh");
  EXPECT_EQ(page.cases[1].entry, "compose.yaml");
}

TEST(page_reader, says_what_is_malformed) {
  EXPECT_THAT(with_case("x = 1\n# ^^ two words\n").faults, ElementsAre(HasSubstr("line 10")));
  EXPECT_THAT(with_case("# ^^ a-rule\n").faults, ElementsAre(HasSubstr("above")));
  EXPECT_THAT(read_page("# r\n## Cases\n```python\nx = 1\n").faults,
              ElementsAre(HasSubstr("closed")));
  EXPECT_THAT(read_page("# r\n## Cases\n```pyhton\nx\n```\n").faults,
              ElementsAre(HasSubstr("pyhton")));
}

TEST(case_runner, reports_what_is_missing_and_what_is_too_much) {
  const knowledge::Knowledge& knowledge = knowledge::Knowledge::builtin();
  const Page missing = with_case("x = 1\n#^^^ allocator-setting-too-late\n");
  EXPECT_THAT(run_case(missing.cases.at(0), knowledge),
              ElementsAre(HasSubstr("not reported: line 9")));
  const Page unexpected = with_case(
      "import os\nimport torch\ntorch.cuda.init()\n"
      "os.environ['PYTORCH_CUDA_ALLOC_CONF'] = 'expandable_segments:True'\n");
  EXPECT_THAT(run_case(unexpected.cases.at(0), knowledge),
              ElementsAre(HasSubstr("not expected: line 12")));
}

TEST(case_runner, an_unknown_target_is_a_fault) {
  const Page page = with_case("# target: torch tomorrow\nx = 1\n");
  EXPECT_THAT(run_case(page.cases.at(0), knowledge::Knowledge::builtin()),
              ElementsAre(HasSubstr("no target")));
}

TEST(case_runner, a_page_without_firing_case_is_a_fault) {
  const knowledge::RulePage& rule = knowledge::Knowledge::builtin().pages().front();
  const Page page = with_case("x = 1\n");
  EXPECT_THAT(check_form(page, rule), testing::Contains(HasSubstr("in which the rule fires")));
}

}  // namespace
}  // namespace vramlint::pages
