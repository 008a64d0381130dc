// SPDX-License-Identifier: MIT
//
// Parsing: always a tree, whatever the text.
#include "syntax/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace vramlint::syntax {
namespace {

TEST(Tree, ShowsItself) {
  EXPECT_EQ(Tree("f(a)  # c\n").to_string(),
            "(module (expression_statement (call function: (identifier) arguments: "
            "(argument_list (identifier)))) (comment))");
  EXPECT_EQ(Tree("").to_string(), "(module)");
  EXPECT_EQ(Tree("f(").to_string(), "(module (ERROR (identifier)))");
}

TEST(Tree, ShowsItselfHoweverDeep) {
  const std::string text = Tree(std::string(50'000, '[') + std::string(50'000, ']')).to_string();
  EXPECT_EQ(std::count(text.begin(), text.end(), '('), 50'002);
  EXPECT_EQ(std::count(text.begin(), text.end(), ')'), 50'002);
}

TEST(Tree, KnowsWhetherTheTextIsBroken) {
  EXPECT_FALSE(Tree("a = 1\n").has_errors());
  EXPECT_TRUE(Tree("a = = 1\n").has_errors());
  EXPECT_TRUE(Tree(std::string("\0\0", 2)).has_errors());
}

TEST(Tree, TextThatIsBrokenAllOverIsGivenUp) {
  std::string bytes;
  for (int i = 0; i < 60'000; ++i) bytes += "def class ";
  EXPECT_TRUE(Tree(bytes).has_errors());  // within seconds; to its end it would take minutes
}

TEST(NamedChildren, LeaveOutCommentsAndMarks) {
  const Tree tree("f(a,  # one\n  b)\n");
  NamedChildren statements(tree.root());
  ASSERT_TRUE(statements.next());
  NamedChildren expressions(statements.node());
  ASSERT_TRUE(expressions.next());
  NamedChildren arguments(field(expressions.node(), "arguments"));
  int count = 0;
  while (arguments.next()) EXPECT_EQ(arguments.kind(), NodeKind::identifier) << ++count;
  EXPECT_FALSE(expressions.next());
}

}  // namespace
}  // namespace vramlint::syntax
