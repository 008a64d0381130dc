// SPDX-License-Identifier: MIT
#include "fix/fixer.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

namespace vramlint::fix {
namespace {

using diagnostics::Applicability;
using diagnostics::Diagnostic;

/// Texts by path, and a linter of a line or two.
class Bench final : public Subject {
 public:
  using Linter = std::function<std::vector<Diagnostic>(const Texts&)>;

  Bench(Texts texts, Linter linter) : texts_(std::move(texts)), linter_(std::move(linter)) {}

  std::vector<Diagnostic> findings(const Texts& changed) override {
    Texts now = changed;
    now.insert(texts_.begin(), texts_.end());
    return linter_(now);
  }

  std::shared_ptr<const text::Source> original(const std::string& file) override {
    const auto found = texts_.find(file);
    if (found == texts_.end()) return nullptr;
    return std::make_shared<const text::Source>(file, found->second, text::Language::python);
  }

  bool may_change(const std::string& file) override { return file != "locked.py"; }

 private:
  Texts texts_;
  Linter linter_;
};

struct Change {
  std::string from;
  std::string to;
  Applicability applicability = Applicability::safe;
};

/// Finds each first occurrence of `from` in each text, and offers `to` for it.
Bench::Linter replacing(std::vector<Change> changes) {
  return [changes = std::move(changes)](const Texts& texts) {
    std::vector<Diagnostic> found;
    for (const auto& [path, text] : texts) {
      for (const Change& change : changes) {
        const std::size_t at = text.find(change.from);
        if (at == std::string::npos) continue;
        Diagnostic finding;
        finding.rule = finding.code = "r-" + change.from;
        finding.message = change.from;
        finding.file = path;
        finding.span = {static_cast<uint32_t>(at), static_cast<uint32_t>(at + change.from.size())};
        finding.fix = diagnostics::Fix{
            change.applicability, change.to, {{path, finding.span, {}, change.to}}};
        found.push_back(finding);
      }
    }
    return found;
  };
}

Outcome fixed(std::string text, std::vector<Change> changes, Options options = {}) {
  Bench bench({{"a.py", std::move(text)}}, replacing(std::move(changes)));
  return make_fixes(bench, options);
}

TEST(fixer, fixes_are_made_until_none_is_left) {
  const Outcome outcome = fixed("one = 1\n", {{"one", "two"}, {"two", "six"}});
  EXPECT_EQ(outcome.texts.at("a.py"), "six = 1\n");
  EXPECT_EQ(outcome.applied.size(), 2u);
  EXPECT_TRUE(outcome.remaining.empty());
  EXPECT_TRUE(outcome.settled);
}

TEST(fixer, unsafe_fixes_are_made_only_when_wanted_and_suggestions_never) {
  const std::vector<Change> changes = {{"one", "two", Applicability::unsafe},
                                       {"abc", "xyz", Applicability::suggestion}};
  EXPECT_TRUE(fixed("one = abc\n", changes).texts.empty());
  Options options;
  options.with_unsafe = true;
  const Outcome outcome = fixed("one = abc\n", changes, options);
  EXPECT_EQ(outcome.texts.at("a.py"), "two = abc\n");
  EXPECT_EQ(outcome.remaining.size(), 1u);
}

TEST(fixer, a_safe_fix_goes_before_an_unsafe_one_that_it_conflicts_with) {
  Options options;
  options.with_unsafe = true;
  const Outcome outcome =
      fixed("abcd = 1\n", {{"abc", "unsafe", Applicability::unsafe}, {"bcd", "_safe"}}, options);
  EXPECT_EQ(outcome.texts.at("a.py"), "a_safe = 1\n");
}

TEST(fixer, a_fix_that_breaks_the_text_is_left_out) {
  const Outcome outcome = fixed("a = f(one)\nb = two\n", {{"one", "("}, {"two", "2"}});
  EXPECT_EQ(outcome.texts.at("a.py"), "a = f(one)\nb = 2\n");
  ASSERT_EQ(outcome.left_out.size(), 1u);
  EXPECT_EQ(outcome.left_out[0].reason, "the text would no longer parse");
  EXPECT_EQ(outcome.remaining.size(), 1u);
}

TEST(fixer, text_that_was_broken_before_can_be_fixed) {
  EXPECT_EQ(fixed("a = (\none = 1\n", {{"one", "two"}}).texts.at("a.py"), "a = (\ntwo = 1\n");
}

TEST(fixer, a_fix_that_changes_nothing_about_its_finding_is_left_out) {
  Bench bench({{"a.py", "one = 1\n"}}, [](const Texts& texts) {
    Diagnostic finding;
    finding.rule = "stays";
    finding.file = "a.py";
    finding.span = {0, 3};
    const std::string text = texts.at("a.py") == "one = 1\n" ? "two" : "six";
    finding.fix = diagnostics::Fix{Applicability::safe, text, {{"a.py", {0, 3}, {}, text}}};
    return std::vector<Diagnostic>{finding};
  });
  const Outcome outcome = make_fixes(bench, {});
  EXPECT_TRUE(outcome.texts.empty());
  ASSERT_EQ(outcome.left_out.size(), 1u);
  EXPECT_EQ(outcome.left_out[0].reason, "the finding would still be there");
}

TEST(fixer, a_fix_in_vain_is_tried_again_after_others) {
  Bench bench({{"a.py", "one = two + abc\n"}}, [](const Texts& texts) {
    const auto holds = [&](const char* word) {
      return texts.at("a.py").find(word) != std::string::npos;
    };
    std::vector<Change> changes = {{"one", "six"}, {"abc", "xyz"}};
    if (!holds("abc")) changes.push_back({"two", "2"});
    std::vector<Diagnostic> found = replacing(changes)(texts);
    if (!holds("six") || !holds("two")) return found;
    Diagnostic still;
    still.rule = still.code = "r-one";
    still.message = "one";
    still.file = "a.py";
    still.span = {0, 3};
    found.push_back(still);
    return found;
  });
  const Outcome outcome = make_fixes(bench, {});
  EXPECT_EQ(outcome.texts.at("a.py"), "six = 2 + xyz\n");
  EXPECT_TRUE(outcome.left_out.empty());
  EXPECT_TRUE(outcome.settled);
}

TEST(fixer, fixes_that_undo_each_other_end) {
  const Outcome outcome = fixed("one = 1\n", {{"one", "two"}, {"two", "one"}});
  EXPECT_EQ(outcome.texts.at("a.py"), "two = 1\n");
  ASSERT_EQ(outcome.left_out.size(), 1u);
  EXPECT_EQ(outcome.left_out[0].reason, "the text would go back to what it was");
}

TEST(fixer, a_text_that_grows_for_ever_is_given_up) {
  Bench bench({{"a.py", "x = 1\n"}}, [](const Texts& texts) {
    Diagnostic finding;
    finding.rule = "grows";
    finding.message = texts.at("a.py");
    finding.file = "a.py";
    finding.fix = diagnostics::Fix{Applicability::safe, "grow", {{"a.py", {0, 0}, {}, "x"}}};
    return std::vector<Diagnostic>{finding};
  });
  const Outcome outcome = make_fixes(bench, {});
  EXPECT_FALSE(outcome.settled);
  EXPECT_EQ(outcome.texts.at("a.py"), "xxxxxxxxxxx = 1\n");
}

TEST(fixer, a_fix_in_two_files_is_made_whole_or_not_at_all) {
  const auto linter = [](const std::string& other) {
    return [other](const Texts& texts) {
      std::vector<Diagnostic> found;
      if (texts.at("a.py") != "one = 1\n") return found;
      Diagnostic finding;
      finding.rule = "both";
      finding.file = "a.py";
      finding.span = {0, 3};
      finding.fix = diagnostics::Fix{
          Applicability::safe, "both", {{"a.py", {0, 3}, {}, "two"}, {other, {0, 3}, {}, "two"}}};
      found.push_back(finding);
      return found;
    };
  };
  Bench open({{"a.py", "one = 1\n"}, {"b.py", "one = 2\n"}}, linter("b.py"));
  EXPECT_EQ(make_fixes(open, {}).texts, (Texts{{"a.py", "two = 1\n"}, {"b.py", "two = 2\n"}}));
  Bench locked({{"a.py", "one = 1\n"}, {"locked.py", "one = 2\n"}}, linter("locked.py"));
  EXPECT_TRUE(make_fixes(locked, {}).texts.empty());
}

TEST(fixer, edits_outside_of_the_text_are_not_made) {
  Bench bench({{"a.py", "x\n"}}, [](const Texts&) {
    Diagnostic finding;
    finding.file = "a.py";
    finding.fix = diagnostics::Fix{Applicability::safe, "", {{"a.py", {1, 9}, {}, "y"}}};
    return std::vector<Diagnostic>{finding};
  });
  EXPECT_TRUE(make_fixes(bench, {}).texts.empty());
}

}  // namespace
}  // namespace vramlint::fix
