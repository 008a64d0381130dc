// SPDX-License-Identifier: MIT
// Configuration files, patterns, and what a project says about its torch.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/glob.h"
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

TEST(Settings, ComeFromAssignmentsToo) {
  EXPECT_EQ(read_assignment("torch=2.11").value().torch, "2.11");
  EXPECT_EQ(read_assignment("torch=\">=2.4\"").value().torch, ">=2.4");
  EXPECT_EQ(read_assignment("ignore=['a', 'b']").value().ignore.size(), 2u);
  EXPECT_EQ(read_assignment("level=note").value().level, diagnostics::Severity::note);
  EXPECT_FALSE(read_assignment("nope=1"));
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

TEST(Requirements, AreReadFromEachKindOfFile) {
  EXPECT_EQ(torch_in_requirements("# torch==1.0\nnumpy\r\n torch==2.9.1  # pinned\r\n"),
            (Specifiers{"==2.9.1"}));
  EXPECT_EQ(torch_in_pyproject("[project]\ndependencies = ['torch==2.9.1', 'numpy']\n"),
            (Specifiers{"==2.9.1"}));
  EXPECT_EQ(torch_in_pyproject("[project.optional-dependencies]\ncpu = ['torch==2.8.0']\n"
                               "gpu = ['torch==2.9.1', 'torch==2.8.0']\n"),
            (Specifiers{"==2.8.0", "==2.9.1"}));
  EXPECT_EQ(torch_in_pyproject("torch = [\n"), Specifiers{});
  EXPECT_EQ(torch_in_uv_lock("[[package]]\nname = \"torch\"\nversion = \"2.9.1+cu128\"\n\n"
                             "[[package]]\nname = \"torchvision\"\nversion = \"0.20\"\n"
                             "[[package]]\nname = \"torch\"\nversion = \"2.8.0\"\n"),
            (Specifiers{"2.9.1", "2.8.0"}));
}

TEST(Target, TakesTheFirstThatSpeaks) {
  const knowledge::Knowledge& knowledge = knowledge::Knowledge::builtin();
  const std::optional<TorchPin> pin = pin_of({"==2.9.1"}, knowledge);
  ASSERT_TRUE(pin);
  EXPECT_EQ(pin->text, "2.9.1");
  Settings settings;
  EXPECT_EQ(resolve_target(settings, pin, knowledge).value().torch_text, "2.9.1");
  EXPECT_FALSE(resolve_target(settings, std::nullopt, knowledge).value().torch_stated);
  settings.torch = "2.4";
  EXPECT_EQ(resolve_target(settings, pin, knowledge).value().torch_text, "2.4");
  settings.python = "three";
  EXPECT_FALSE(resolve_target(settings, pin, knowledge));
}

TEST(Target, PassesOverWhatNobodyCouldMean) {
  const knowledge::Knowledge& knowledge = knowledge::Knowledge::builtin();
  EXPECT_FALSE(pin_of({"=>nonsense"}, knowledge));
  EXPECT_FALSE(pin_of({}, knowledge));
}

}  // namespace
}  // namespace vramlint::config
