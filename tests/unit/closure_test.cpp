// SPDX-License-Identifier: MIT
//
// Whether a program can have a finding at all, asked of the bytes of its modules.
#include "frontends/closure.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "memory_files.h"

namespace vramlint::frontends {
namespace {

using Reach = Closure::Reach;

/// One question to a fresh closure that looks for the word `WORD`.
Reach reach(MemoryFiles files, const std::string& entry = "main.py") {
  const std::vector<std::string_view> listed = {"WORD"};
  const prefilter::WordSet words(listed);
  Closure::Needs needs;
  needs.anywhere.set(0);
  model::Names names;
  Project project(files, names);
  return Closure(project, files, words, needs).reach_of(entry, ".");
}

TEST(Closure, AsksTheEntryFirst) {
  EXPECT_EQ(reach({{"main.py", "WORD"}}), Reach::entry);
  EXPECT_EQ(reach({{"main.py", "import a"}}), Reach::nothing);
  EXPECT_EQ(reach({{"main.py", ""}}), Reach::nothing);
  EXPECT_EQ(reach({}), Reach::nothing);
}

TEST(Closure, FollowsImports) {
  EXPECT_EQ(reach({{"main.py", "import a"}, {"a.py", "WORD"}}), Reach::imported);
  EXPECT_EQ(reach({{"main.py", "import a"}, {"a.py", "from b import c"}, {"b.py", "WORD"}}),
            Reach::imported);
  EXPECT_EQ(reach({{"main.py", "import a"}, {"b.py", "WORD"}}), Reach::nothing);
  EXPECT_EQ(reach({{"main.py", "import a"}, {"src/a.py", "WORD"}}), Reach::imported);
}

TEST(Closure, FollowsPackages) {
  EXPECT_EQ(reach({{"main.py", "import a.b"}, {"a/__init__.py", "WORD"}, {"a/b.py", ""}}),
            Reach::imported);
  EXPECT_EQ(reach({{"main.py", "from a import b"}, {"a/__init__.py", ""}, {"a/b.py", "WORD"}}),
            Reach::imported);
  EXPECT_EQ(reach({{"main.py", "from a import b"}, {"a/b.py", "WORD"}}), Reach::imported);
}

TEST(Closure, FollowsRelativeImports) {
  EXPECT_EQ(
      reach({{"p/__init__.py", ""}, {"p/m.py", "from . import a"}, {"p/a.py", "WORD"}}, "p/m.py"),
      Reach::imported);
  EXPECT_EQ(reach({{"p/__init__.py", ""},
                   {"p/q/__init__.py", ""},
                   {"p/q/m.py", "from ..a import b"},
                   {"p/a.py", "WORD"}},
                  "p/q/m.py"),
            Reach::imported);
}

TEST(Closure, PackagesOfTheEntryAreImportedBeforeIt) {
  EXPECT_EQ(reach({{"p/__init__.py", "WORD"}, {"p/m.py", ""}}, "p/m.py"), Reach::imported);
}

TEST(Closure, AnyModuleMayFollowAComputedName) {
  EXPECT_EQ(reach({{"main.py", "import_module(name)"}}), Reach::imported);
}

TEST(Closure, CirclesEnd) {
  EXPECT_EQ(reach({{"main.py", "import a"}, {"a.py", "import b"}, {"b.py", "import a, main"}}),
            Reach::nothing);
  EXPECT_EQ(reach({{"main.py", "import main"}}), Reach::nothing);
}

TEST(Closure, AnswersDoNotDependOnWhatWasAskedBefore) {
  MemoryFiles files = {{"main.py", "import a"}, {"a.py", "import b"}, {"b.py", "import a, c"},
                       {"c.py", "WORD"},        {"d.py", "import e"}, {"e.py", "import d"}};
  const std::vector<std::string> entries = {"b.py", "d.py", "a.py", "main.py", "e.py", "c.py"};
  const std::vector<std::string_view> listed = {"WORD"};
  const prefilter::WordSet words(listed);
  Closure::Needs needs;
  needs.anywhere.set(0);
  model::Names names;
  Project project(files, names);
  Closure closure(project, files, words, needs);
  for (int round = 0; round < 2; ++round) {
    for (const std::string& entry : entries) {
      EXPECT_EQ(closure.reach_of(entry, "."), reach(files, entry)) << entry;
    }
  }
}

TEST(Closure, OtherLanguagesSayNothing) {
  EXPECT_EQ(reach({{"notes.txt", "WORD"}}, "notes.txt"), Reach::nothing);
}

}  // namespace
}  // namespace vramlint::frontends
