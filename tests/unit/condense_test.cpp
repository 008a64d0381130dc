// SPDX-License-Identifier: MIT
//
// Taking out of a definition what the parser need not read: what is left stands in the same order,
// and each place in it is known to be which place of the definition.
#include "syntax/condense.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace vramlint::syntax {
namespace {

const std::string long_body = "        value = 1\n" + std::string(20, '\n') +
                              "        return [\n    'def inner(self):', " + std::string(200, '1') +
                              "\n]\n";

std::string without_bodies(const std::string& definition) {
  return condense(definition, Bodies::left_out).text;
}

/// Every byte that is left is the one that stands there in the definition, but for `...`.
void expect_places(const std::string& definition, Bodies bodies) {
  const Condensed made = condense(definition, bodies);
  uint32_t least = 0;
  for (uint32_t at = 0; at < made.text.size(); ++at) {
    const uint32_t original = made.original(at);
    ASSERT_LT(original, definition.size()) << definition;
    ASSERT_GE(original, least) << definition;
    least = original + 1;
    if (made.text[at] != '.') ASSERT_EQ(made.text[at], definition[original]) << definition;
  }
  for (const Condensed::Function& function : made.functions) {
    const std::string_view word = std::string_view(made.text).substr(function.begin, 5);
    EXPECT_TRUE(word.starts_with("def") || word == "async") << definition;
    EXPECT_EQ(made.original(function.begin), function.original.begin) << definition;
  }
}

TEST(Condense, BodiesOfMethodsGo) {
  const std::string text =
      "class A(B):\n    x = 1\n    def f(self, y=2):\n" + long_body + "    z = 3\n";
  EXPECT_EQ(without_bodies(text),
            "class A(B):\n    x = 1\n    def f(self, y=2):\n        ...\n    z = 3\n");
  const Condensed made = condense(text, Bodies::left_out);
  ASSERT_EQ(made.functions.size(), 1u);
  const text::Span whole = made.functions[0].original;
  EXPECT_EQ(text.substr(whole.begin, whole.size()) + "\n", "def f(self, y=2):\n" + long_body);
  expect_places(text, Bodies::left_out);
}

TEST(Condense, ShortBodiesStay) {
  const std::string text =
      "class A:\n    def f(self): return 1\n    def g(self):\n        return 2\n";
  EXPECT_EQ(without_bodies(text), text);
  EXPECT_TRUE(condense(text, Bodies::left_out).functions.empty());
}

TEST(Condense, HeadsMayBeLong) {
  for (const std::string& head :
       {"    async def f(\n  self,\n):  # why\n", "    @a(\n)\n    def f(self):\n"}) {
    const std::string text = "class A:\n" + head + long_body;
    EXPECT_EQ(without_bodies(text), "class A:\n" + head + "        ...\n") << head;
    expect_places(text, Bodies::left_out);
  }
}

TEST(Condense, FunctionsAndClassesInsideGoWithTheirOuterOne) {
  const std::string inner =
      "        def g():\n" + std::string(12, ' ') + std::string(300, 'x') + "\n";
  EXPECT_EQ(without_bodies("class A:\n    def f(self):\n" + inner + long_body),
            "class A:\n    def f(self):\n        ...\n");
  const std::string deeper = "class A:\n    class B:\n        def f(self):\n    " + long_body;
  EXPECT_TRUE(condense(deeper, Bodies::left_out).functions.empty());
  EXPECT_NE(without_bodies(deeper).find("return ["), std::string::npos);
}

TEST(Condense, AFunctionOutsideAllOthers) {
  EXPECT_EQ(without_bodies("@a\ndef f(x):\n" + long_body), "@a\ndef f(x):\n        ...\n");
  EXPECT_EQ(condense("def f(x):\n" + long_body, Bodies::kept).functions.size(), 0u);
}

TEST(Condense, DescriptionsAndCommentsGo) {
  const std::string text =
      "def f():\n    r\"\"\"What it does.\n\n    And how, at some length, in several lines.\n"
      "    \"\"\"\n    # a comment\n\n    return '''not a description, however long it may be'''\n";
  EXPECT_EQ(
      condense(text, Bodies::kept).text,
      "def f():\n    r\"\"\"\"\"\"\n    return '''not a description, however long it may be'''\n");
  expect_places(text, Bodies::kept);
}

TEST(Condense, TextsThatOnlyLookLikeDescriptionsStay) {
  const std::string text = "def f():\n    \"\"\"" + std::string(50, 'a') +
                           "\"\"\".join(x)\n    \"\"\"" + std::string(50, 'b') +
                           "\"\"\" + \"\"\"c\"\"\"\n";
  EXPECT_EQ(condense(text, Bodies::kept).text, text);
}

TEST(Condense, PlacesHoldForAnything) {
  const std::vector<std::string> lines = {"class A:",
                                          "def f(x):",
                                          "    def g(self):",
                                          "    async def h(self): # c",
                                          "        return",
                                          "        " + std::string(90, 'x'),
                                          "# c",
                                          "",
                                          "    \"\"\"text",
                                          "\"\"\"",
                                          "    x = '''",
                                          "    '''",
                                          "\t\tdef t():",
                                          "    @d",
                                          "(",
                                          ")",
                                          "    y = \\"};
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    const size_t count = random() % 14;
    const std::string end = random() % 4 == 0 ? "\r\n" : "\n";
    for (size_t i = 0; i < count; ++i) text += lines[random() % lines.size()] + end;
    expect_places(text, Bodies::kept);
    expect_places(text, Bodies::left_out);
  }
}

}  // namespace
}  // namespace vramlint::syntax
