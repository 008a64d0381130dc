// SPDX-License-Identifier: MIT
//
// Whether a program can have a finding at all, asked of the bytes of its modules.
#include "frontends/closure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "memory_files.h"

namespace vramlint::frontends {
namespace {

using Reach = Closure::Reach;

/// One question to a fresh closure that looks for the word `WORD`.
Reach reach(MemoryFiles files, const std::string& entry = "main.py") {
  const std::vector<std::string_view> listed = {"WORD"};
  const prefilter::WordSet words(listed);
  Needs needs;
  needs.anywhere.set(0);
  model::Names names;
  Project project(files, names);
  return Closure(project, files, words, needs).ask(entry, ".").reach;
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
  Needs needs;
  needs.anywhere.set(0);
  model::Names names;
  Project project(files, names);
  Closure closure(project, files, words, needs);
  for (int round = 0; round < 2; ++round) {
    for (const std::string& entry : entries) {
      EXPECT_EQ(closure.ask(entry, ".").reach, reach(files, entry)) << entry;
    }
  }
}

/// What a fresh closure says of `main.py`, for `WORD` anywhere and `OWN` beside `TOO` in the entry.
Closure::Answer answer(MemoryFiles files) {
  const std::vector<std::string_view> listed = {"WORD", "OWN", "TOO"};
  const prefilter::WordSet words(listed);
  Needs needs;
  needs.anywhere.set(0);
  Together together;
  together.words.set(1);
  together.words.set(2);
  together.first = 1;
  together.in_tests = false;
  needs.own = {together};
  model::Names names;
  Project project(files, names);
  return Closure(project, files, words, needs).ask("main.py", ".");
}

bool tells(const Closure::Answer& answer, std::string_view name) {
  return std::ranges::binary_search(answer.telling, name_number(name));
}

TEST(Closure, OwnWordsTellTogether) {
  EXPECT_EQ(answer({{"main.py", "OWN"}}).reach, Reach::nothing);
  EXPECT_EQ(answer({{"main.py", "TOO"}}).reach, Reach::nothing);
  EXPECT_EQ(answer({{"main.py", "OWN\nTOO"}}).reach, Reach::alone);
  EXPECT_EQ(answer({{"main.py", "\"\"\"OWN\n\"\"\"\nTOO"}}).reach, Reach::nothing);
  EXPECT_EQ(answer({{"main.py", "import a"}, {"a.py", "OWN\nTOO"}}).reach, Reach::nothing);
}

TEST(Closure, DefinitionsTellByTheirFirstWordAndByWhatTheyMention) {
  const Closure::Answer found = answer({{"main.py",
                                         "from x import OWN as y\n"
                                         "def f():\n  OWN()\n"
                                         "def g():\n  f()\n"
                                         "def h():\n  TOO()\n"
                                         "def i():\n  y()\n"}});
  EXPECT_TRUE(tells(found, "f"));
  EXPECT_TRUE(tells(found, "g"));
  EXPECT_FALSE(tells(found, "h"));
  EXPECT_TRUE(tells(found, "i"));
}

TEST(Closure, KnowsWhenOnlyImportsMatter) {
  EXPECT_TRUE(answer({{"main.py", "import a\nf()"}, {"a.py", "WORD"}}).only_imports);
  EXPECT_FALSE(answer({{"main.py", "import a\na.f()"}, {"a.py", "def f(): WORD"}}).only_imports);
}

TEST(Closure, OtherLanguagesSayNothing) {
  EXPECT_EQ(reach({{"notes.txt", "WORD"}}, "notes.txt"), Reach::nothing);
}

}  // namespace
}  // namespace vramlint::frontends
