// SPDX-License-Identifier: MIT
// YAML as a flat list of values.
#include "syntax/yaml.h"

#include <gtest/gtest.h>

#include <string>

namespace vramlint::syntax {
namespace {

/// `name/path: text` for each scalar, a sequence's parts with `-`.
std::string scalars(const std::string& text) {
  const std::vector<YamlNode> nodes = read_yaml(text);
  std::string shown;
  for (const YamlNode& node : nodes) {
    if (node.kind != YamlKind::scalar) continue;
    std::string path;
    for (const YamlNode* at = &node; at->parent >= 0; at = &nodes[at->parent]) {
      path = (at->key.empty() ? "-" : at->key) + (path.empty() ? "" : "/") + path;
    }
    shown += (shown.empty() ? "" : "; ") + path + ": " + node.text;
  }
  return shown;
}

TEST(Yaml, IsFlattened) {
  EXPECT_EQ(scalars("name: x\ndependencies:\n  - python=3.11  # why\n  - pip:\n      - torch\n"),
            "name: x; dependencies/-: python=3.11; dependencies/-/pip/-: torch");
  EXPECT_EQ(scalars("a: {b: [1, \"two\", 'three'], c: d}\n"),
            "a/b/-: 1; a/b/-: two; a/b/-: three; a/c: d");
  EXPECT_EQ(scalars("\"k\": v\n---\nother: 1\n"), "k: v; other: 1");
  EXPECT_EQ(scalars("empty:\nnext: 1\n"), "next: 1");
  EXPECT_EQ(scalars("- a\n- b\n"), "-: a; -: b");
  EXPECT_EQ(scalars(""), "");
}

TEST(Yaml, SpansAreThoseOfTheText) {
  const std::vector<YamlNode> nodes = read_yaml("a: bc\n");
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[1].span.begin, 3u);
  EXPECT_EQ(nodes[1].span.end, 5u);
}

TEST(Yaml, BrokenTextEndsSoon) {
  for (const char* piece :
       {"[", "{a: ", "- ", "a: [\n", "\"", "&a *a ", ": : ", "?\n", "\t- |\n"}) {
    std::string text;
    while (text.size() < 20'000) text += piece;
    read_yaml(text);
  }
  std::string deep;
  for (int depth = 0; depth < 500; ++depth) {
    deep += std::string(static_cast<std::size_t>(depth), ' ') + "a:\n";
    read_yaml(deep + "torch");
  }
  read_yaml(std::string("\0\xff\xfe", 3));
}

}  // namespace
}  // namespace vramlint::syntax
