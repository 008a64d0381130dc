// SPDX-License-Identifier: MIT
// Configuration files, patterns, and what a project says about its torch.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/glob.h"
#include "config/lock_files.h"
#include "config/manifests.h"
#include "config/requirements.h"
#include "config/settings.h"
#include "config/target.h"

namespace vramlint::config {
namespace {

TEST(Glob, MatchesNamesAnywhereAndPathsFromTheStart) {
  EXPECT_TRUE(glob_matches("build", "a/build/x.py"));
  EXPECT_TRUE(glob_matches("*_test.py", "a/b_test.py"));
  EXPECT_TRUE(glob_matches("a/b", "a/b/c.py"));
  EXPECT_TRUE(glob_matches("a/**/c.py", "a/c.py"));
  EXPECT_TRUE(glob_matches("**/gen_[0-9]?.py", "x/y/gen_1a.py"));
  EXPECT_TRUE(glob_matches("/a/", "a/c.py"));
  EXPECT_FALSE(glob_matches("a/b", "x/a/b/c.py"));
  EXPECT_FALSE(glob_matches("a*b", "a/b"));
  EXPECT_FALSE(glob_matches("[!a].py", "a.py"));
  EXPECT_FALSE(glob_matches("", "a.py"));
}

TEST(Glob, TakesItsTimeFromTheLengthOnly) {
  EXPECT_FALSE(glob_matches(std::string(200, '*') + "b" + std::string(200, '*') + "c",
                            std::string(5000, 'b')));
}

Settings settings_in(const std::string& text) {
  const Result<std::optional<Settings>> read = read_settings("vramlint.toml", text);
  return read && read.value() ? *read.value() : Settings();
}

std::string complaint_about(const std::string& text) {
  const Result<std::optional<Settings>> read = read_settings("vramlint.toml", text);
  if (read) return "none";
  const Error& error = read.error();
  return std::to_string(error.line) + ": " + error.message + "; " + error.advice;
}

TEST(Settings, AreRead) {
  const Settings settings = settings_in(
      "torch = '2.11'\nplatform = 'wsl'\nselect = ['VRL1']\nlevel = 'note'\nexclude = 'gen'\n");
  EXPECT_EQ(settings.torch, "2.11");
  EXPECT_EQ(settings.platform, knowledge::Platform::wsl);
  EXPECT_EQ(settings.select, std::vector<std::string>{"VRL1"});
  EXPECT_EQ(settings.level, diagnostics::Severity::note);
  EXPECT_EQ(settings.exclude, std::vector<std::string>{"gen"});
}

TEST(Settings, AreATableOfPyproject) {
  const Result<std::optional<Settings>> read =
      read_settings("a/pyproject.toml", "[tool.vramlint]\ntorch = '2.4'\n");
  ASSERT_TRUE(read && read.value());
  EXPECT_EQ(read.value()->torch, "2.4");
  const Result<std::optional<Settings>> none =
      read_settings("pyproject.toml", "[project]\nname = 'vramlint-user'\n");
  ASSERT_TRUE(none);
  EXPECT_FALSE(none.value());
}

TEST(Settings, ComplainWithTheLine) {
  EXPECT_EQ(complaint_about("torch = '2.4'\nselct = []\n"),
            "2: unknown key `selct`; did you mean `select`?");
  EXPECT_EQ(complaint_about("\nlevel = 'loud'\n"),
            "2: `level` takes one of error, warning, note; ");
  EXPECT_EQ(complaint_about("select = [1]\n"), "1: `select` takes a list of strings; ");
  EXPECT_EQ(complaint_about("torch = \n").substr(0, 18), "1: no valid TOML: ");
}

/// `a.a.a` of so many parts, with `dot` between them.
std::string key_of(int parts, const std::string& part, const std::string& dot) {
  std::string key = part;
  for (int i = 1; i < parts; ++i) key += dot + part;
  return key;
}

TEST(Settings, RefuseKeysWithoutAnEnd) {
  EXPECT_EQ(complaint_about("ignore = []\n[" + key_of(100'000, "a", ".") + "]\n"),
            "2: no valid TOML: a key of more parts than anybody writes; ");
  for (const char* part : {"a", "\"a\"", "'\\'", "\"\\\"\""}) {
    const std::string key = key_of(100'000, part, "\t. ");
    EXPECT_EQ(complaint_about("x = \"it's\" # \"\n" + key + " = 1\n").substr(0, 3), "2: ");
    EXPECT_TRUE(read_pyproject("[" + key + "]\ntorch = 1\n", knowledge::Knowledge::builtin())
                    .torch.empty());
  }
  const std::string quoted = key_of(20'000, "\"" + std::string(70, 'a') + "\"", ".");
  EXPECT_NE(complaint_about(quoted + " = 1\n"), "none");
  EXPECT_EQ(complaint_about("ignore = [] # " + key_of(40, "a", ". .") + "\n"), "none");
}

TEST(Settings, ComeFromAssignmentsToo) {
  EXPECT_EQ(read_assignment("torch=2.11").value().torch, "2.11");
  EXPECT_EQ(read_assignment("torch=\">=2.4\"").value().torch, ">=2.4");
  EXPECT_EQ(read_assignment("ignore=['a', 'b']").value().ignore.size(), 2u);
  EXPECT_EQ(read_assignment("level=note").value().level, diagnostics::Severity::note);
  EXPECT_FALSE(read_assignment("nope=1"));
}

TEST(Settings, OfATableComeWithADot) {
  const Settings settings = read_assignment("severity.VRL101=note").value();
  ASSERT_EQ(settings.severity.size(), 1u);
  EXPECT_EQ(settings.severity[0].rule, "VRL101");
  EXPECT_EQ(read_assignment("per-file-ignores.'a=b/**'=['VRL1']").value().per_file_ignores[0].glob,
            "a=b/**");
  for (const char* nothing : {"", "=", "x", "[a]=1", "a b=1"}) {
    EXPECT_FALSE(read_assignment(nothing)) << nothing;
  }
}

TEST(Settings, AreLayered) {
  const Settings under =
      settings_in("torch = '2.4'\nlevel = 'note'\nselect = ['VRL1']\nignore = 'a'\n");
  const Settings over = settings_in("torch = '2.5'\nselect = ['VRL2']\nignore = 'b'\n");
  const Settings both = layered(under, over);
  EXPECT_EQ(both.torch, "2.5");
  EXPECT_EQ(both.level, diagnostics::Severity::note);
  EXPECT_EQ(both.select, std::vector<std::string>{"VRL2"});
  EXPECT_EQ(both.ignore, (std::vector<std::string>{"a", "b"}));
}

TEST(Settings, KnowTheirPlaces) {
  const Settings settings = settings_in("\ntorch = '2.4'\nselect = ['VRL1',\n  'order']\n");
  EXPECT_EQ(settings.places.at("torch").line, 2);
  ASSERT_EQ(settings.rule_words.size(), 2u);
  EXPECT_EQ(settings.rule_words[1].place.line, 4);
  EXPECT_EQ(settings.rule_words[1].place.column, 3);
  EXPECT_EQ(settings.rule_words[1].place.path, "vramlint.toml");
}

TEST(Requirements, SayWhichTorch) {
  EXPECT_EQ(torch_specifier("torch==2.9.1"), "==2.9.1");
  EXPECT_EQ(torch_specifier("Torch[opt] >= 2.4, <2.10 ; python_version < '3.9'"), ">=2.4,<2.10");
  EXPECT_EQ(torch_specifier("torch (==2.1)"), "==2.1");
  EXPECT_EQ(torch_specifier("torch==2.9.1+cu128"), "==2.9.1");
  EXPECT_EQ(torch_specifier("torchvision==0.20"), "");
  EXPECT_EQ(torch_specifier("torch"), "");
  EXPECT_EQ(torch_specifier("torch @ file:///torch.whl"), "");
  EXPECT_EQ(torch_specifier("torch[broken"), "");
}

using Specifiers = std::vector<std::string>;

const knowledge::Knowledge& tables() { return knowledge::Knowledge::builtin(); }

Specifiers torch_in(const FileStatements& found) {
  Specifiers specifiers;
  for (const Statement& each : found.torch) specifiers.push_back(each.specifier);
  return specifiers;
}

TEST(Requirements, AreReadFromEachKindOfFile) {
  EXPECT_EQ(
      torch_in(read_requirements("# torch==1.0\nnumpy\r\n torch==2.9.1  # pinned\r\n", tables())),
      (Specifiers{"==2.9.1"}));
  EXPECT_EQ(
      torch_in(read_pyproject("[project]\ndependencies = ['torch==2.9.1', 'numpy']\n", tables())),
      (Specifiers{"==2.9.1"}));
  EXPECT_EQ(torch_in(read_pyproject("[project.optional-dependencies]\ncpu = ['torch==2.8.0']\n"
                                    "gpu = ['torch==2.9.1', 'torch==2.8.0']\n",
                                    tables())),
            (Specifiers{"==2.8.0", "==2.9.1", "==2.8.0"}));
  EXPECT_EQ(torch_in(read_pyproject("torch = [\n", tables())), Specifiers{});
  EXPECT_EQ(torch_in(read_toml_lock("\n[[package]]\nname = \"torch\"\nversion = \"2.9.1+cu128\"\n\n"
                                    "[[package]]\nname = \"torchvision\"\nversion = \"0.20\"\n"
                                    "[[package]]\nname = \"torch\"\nversion = \"2.8.0\"\n",
                                    tables())),
            (Specifiers{"==2.9.1", "==2.8.0"}));
}

Inferred torch_of(const std::vector<Statement>& statements) {
  Inferred inferred;
  inferred.torch = torch_stated_by(statements, tables());
  return inferred;
}

knowledge::Target target_of(const Settings& configuration, const Inferred& inferred) {
  return resolve_target({}, configuration, inferred, tables()).value().target;
}

TEST(Target, TakesTheFirstThatSpeaks) {
  const Inferred inferred = torch_of(statements_of("==2.9.1", Dialect::pip, 1));
  ASSERT_TRUE(inferred.torch);
  EXPECT_EQ(inferred.torch->text, "2.9.1");
  Settings settings;
  EXPECT_EQ(target_of(settings, inferred).torch_text, "2.9.1");
  EXPECT_FALSE(target_of(settings, {}).torch_stated);
  settings.torch = "2.4";
  EXPECT_EQ(target_of(settings, inferred).torch_text, "2.4");
  Settings command_line;
  command_line.torch = "2.5";
  const ResolvedTarget resolved =
      resolve_target(command_line, settings, inferred, tables()).value();
  EXPECT_EQ(resolved.target.torch_text, "2.5");
  EXPECT_EQ(resolved.origins.torch, "command line");
  settings.python = "three";
  EXPECT_FALSE(resolve_target({}, settings, inferred, tables()));
}

TEST(Target, NamesEachVersionOnce) {
  std::vector<Statement> statements;
  for (const char* each : {"==2.9.1", "==2.8.0", "==2.9.1", "==2.8.1"}) {
    statements.push_back(statements_of(each, Dialect::pip, 1).front());
  }
  const std::optional<StatedVersions> stated = torch_stated_by(statements, tables());
  ASSERT_TRUE(stated);
  EXPECT_EQ(stated->text, "2.9.1 or 2.8.0 or 2.8.1");
  EXPECT_EQ(stated->versions, (std::vector<knowledge::Version>{{2, 8}, {2, 9}}));
}

TEST(Target, PassesOverWhatNobodyCouldMean) {
  EXPECT_FALSE(torch_stated_by(statements_of("=>nonsense", Dialect::pip, 1), tables()));
  EXPECT_FALSE(torch_stated_by({}, tables()));
}

std::string pythons(const std::string& text) {
  const Result<std::vector<knowledge::Version>> versions = python_versions(text, tables());
  if (!versions) return versions.error().message;
  std::string shown;
  for (const knowledge::Version version : versions.value()) {
    shown += (shown.empty() ? "" : " ") + knowledge::to_string(version);
  }
  return shown;
}

TEST(Target, PythonIsASetOfVersions) {
  EXPECT_EQ(pythons("3.12"), "3.12");
  EXPECT_EQ(pythons("3.13,3.12"), "3.12 3.13");
  EXPECT_EQ(pythons(">=3.10,<3.13"), "3.10 3.11 3.12");
  EXPECT_EQ(pythons("~=3.8,!=3.9.*,<3.11"), "3.8 3.10");
  EXPECT_EQ(pythons(">=3.14").substr(0, 4), "3.14");
  EXPECT_EQ(pythons("three"), "`three` is no version of Python");
  EXPECT_EQ(pythons(">=9"), "`>=9` admits no release of Python");
  knowledge::Target target;
  EXPECT_TRUE(target.python_may_be({{3, 14}}));
  EXPECT_FALSE(target.python_is({{3, 14}}));
  target.python = {{3, 13}, {3, 14}};
  EXPECT_TRUE(target.python_may_be({{3, 14}}));
  EXPECT_FALSE(target.python_is({{3, 14}}));
  EXPECT_TRUE(target.python_is({{3, 10}}));
  EXPECT_FALSE(target.python_may_be({{3, 15}}));
}

}  // namespace
}  // namespace vramlint::config
