// SPDX-License-Identifier: MIT
// Which variables the programs read that a Python program starts by command.
#include "replay/child_programs.h"

#include <gtest/gtest.h>

namespace vramlint::replay {
namespace {

std::string unread(const std::vector<model::LaunchStep>& steps) {
  std::string names;
  for (const std::string& name : unread_by(steps, knowledge::Knowledge::builtin()))
    names += (names.empty() ? "" : " ") + name;
  return names;
}

std::string of_text(std::string_view text) { return unread(steps_of_text(text)); }

std::string of_words(const std::vector<std::string>& words) {
  return unread(steps_of_words(words));
}

const std::string none_is_read(model::withholds_all);

TEST(ChildPrograms, OthersReadNothing) {
  for (const std::string_view text :
       {"pip install torch", "cd a && git pull", "nvidia-smi", "python -m pip install -U torch",
        "ls | wc -l", "export A=1", "# python train.py\nls", "", "which python", "rm -r \x01",
        "if [ -d a ]; then rm -r a; fi", "sudo -u me nvidia-smi -pm 1",
        "timeout 60 /usr/bin/git pull", "command -v python", "bash -c 'nvidia-smi | tee a'",
        "uv pip install torch", "docker run image python train.py", "find . -name python",
        "env -i python train.py"}) {
    EXPECT_EQ(of_text(text), none_is_read) << text;
  }
}

TEST(ChildPrograms, WhatMayBeAnythingReadsAll) {
  for (const std::string_view text : {"python train.py",
                                      "cd a && torchrun train.py",
                                      "./run",
                                      "B=$B python train.py",
                                      "$x",
                                      "# a\n./b",
                                      "\x01",
                                      "\x01 -l",
                                      "\x01/bin/python train.py",
                                      "cd \x01 && python \x01",
                                      "bash -c 'python train.py'",
                                      "echo $(python train.py)",
                                      "./git pull",
                                      "lm_eval",
                                      "sudo -E python train.py",
                                      "timeout 60 python train.py",
                                      "uv run train.py",
                                      "docker run -e A image",
                                      "find . -exec python {} +",
                                      "make train",
                                      "bash run.sh"}) {
    EXPECT_EQ(of_text(text), "") << text;
  }
}

TEST(ChildPrograms, AVariableMayBeTakenAway) {
  EXPECT_EQ(of_text("A=1 python a.py"), "A");
  EXPECT_EQ(of_text("A=1:$A python a.py"), "");
  EXPECT_EQ(of_text("export A=1; python a.py"), "A");
  EXPECT_EQ(of_text("(export A=1; ls); python a.py"), "");
  EXPECT_EQ(of_text("[ -n x ] && export A=1; python a.py"), "");
  EXPECT_EQ(of_text("unset A; python a.py; unset B; python b.py"), "A");
  EXPECT_EQ(of_text("env -u A python a.py"), "A");
}

TEST(ChildPrograms, WordsAreReadByNoShell) {
  EXPECT_EQ(of_words({"git", "commit", "-m", "a; python b.py"}), none_is_read);
  EXPECT_EQ(of_words({"git", "-C", "\x01", "pull"}), none_is_read);
  EXPECT_EQ(of_words({"\x01", "pull"}), "");
  EXPECT_EQ(of_words({"bash", "-c", "ls; python b.py"}), "");
  EXPECT_EQ(of_words({"env", "A=1", "python", "b.py"}), "A");
}

}  // namespace
}  // namespace vramlint::replay
