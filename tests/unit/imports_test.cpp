// SPDX-License-Identifier: MIT
//
// The imports of a file as its bytes name them: never one too few.
#include "prefilter/imports.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace vramlint::prefilter {
namespace {

using Texts = std::vector<std::string>;

/// `a.b`, `..a b`: dots and module, then the name.
Texts imports_in(std::string_view bytes) {
  Texts texts;
  for (const NamedImport& named : named_imports(bytes)) {
    std::string text(named.level, '.');
    text += named.module;
    if (!named.name.empty()) (text += ' ') += named.name;
    texts.push_back(text);
  }
  return texts;
}

TEST(NamedImports, ReadsImport) {
  EXPECT_EQ(imports_in("import a\n"), (Texts{"a"}));
  EXPECT_EQ(imports_in("import a.b as c, d ,e as f\n"), (Texts{"a.b", "d", "e"}));
  EXPECT_EQ(imports_in("    import a"), (Texts{"a"}));
  EXPECT_EQ(imports_in("import a, \\\n   b\n"), (Texts{"a", "b"}));
  EXPECT_EQ(imports_in("import a; import b\n").front(), "a");
}

TEST(NamedImports, ReadsFrom) {
  EXPECT_EQ(imports_in("from a import b, c as d\n"), (Texts{"a", "a b", "a c"}));
  EXPECT_EQ(imports_in("from . import b\n"), (Texts{".", ". b"}));
  EXPECT_EQ(imports_in("from ..a.b import c\n"), (Texts{"..a.b", "..a.b c"}));
  EXPECT_EQ(imports_in("from .import b\n"), (Texts{".", ". b"}));
  EXPECT_EQ(imports_in("from .a import b\r\n"), (Texts{".a", ".a b"}));
}

TEST(NamedImports, ReadsOverLinesInBrackets) {
  EXPECT_EQ(imports_in("from a import (  # why\n  b,\n\n  c as d,  # (\n)\nimport e\n"),
            (Texts{"a", "a b", "a c", "e"}));
}

TEST(NamedImports, FindsThemBehindOtherWords) {
  EXPECT_EQ(imports_in("try: import a\n"), (Texts{"a"}));
  EXPECT_EQ(imports_in("if x: from a import b\n"), (Texts{"b", "a", "a b"}));
}

TEST(NamedImports, ReadsModulesByName) {
  EXPECT_EQ(imports_in("m = importlib.import_module(\"a.b\")\n"), (Texts{"a.b"}));
  EXPECT_EQ(imports_in("import_module('..a')\n"), (Texts{"..a"}));
}

TEST(NamedImports, BrokenTextHidesNoLine) {
  EXPECT_EQ(imports_in("from a import (\nimport b\n"), (Texts{"a", "b"}));
  EXPECT_EQ(imports_in("from a import (b,\nfrom c import d\n"), (Texts{"a", "a b", "c", "c d"}));
  EXPECT_EQ(imports_in("import a, \\\nimport b\n"), (Texts{"a", "b"}));
  EXPECT_EQ(imports_in("# see from a import (\nimport b\n").back(), "b");
  EXPECT_EQ(imports_in("import\nimport b"), (Texts{"b"}));
}

TEST(NamedImports, TakesItsTimeFromTheLengthOnly) {
  std::string comments;
  std::string continued;
  for (int i = 0; i < 100'000; ++i) {
    comments += "# from a import (\n";
    continued += "import as,\\\n";
  }
  const auto begin = std::chrono::steady_clock::now();
  named_imports(comments);
  named_imports(continued);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(ImportsByComputedName, AsksForTheNameInTheCall) {
  EXPECT_TRUE(imports_by_computed_name("importlib.import_module(name)"));
  EXPECT_TRUE(imports_by_computed_name("__import__('a')"));
  EXPECT_FALSE(imports_by_computed_name("importlib.import_module('a')"));
  EXPECT_FALSE(imports_by_computed_name("from importlib import import_module\nimport a"));
  EXPECT_FALSE(imports_by_computed_name("import a"));
}

}  // namespace
}  // namespace vramlint::prefilter
