// SPDX-License-Identifier: MIT
// The other languages of launch files.
#include <gtest/gtest.h>

#include "launched.h"
#include "text/source.h"

namespace vramlint {
namespace {

TEST(Dockerfile, SetsForTheContainer) {
  EXPECT_EQ(
      launched("Dockerfile", "FROM x\nENV A=1 B=\"x y\"\nENV C 2\nCMD [\"python\", \"x.py\"]\n"),
      "A=1; B=x y; C=2; !python");
  EXPECT_EQ(launched("Dockerfile", "FROM x\nENV A=1 \\\n # why\n B=2\n"), "A=1; B=2");
  EXPECT_EQ(launched("Dockerfile", "FROM x\nRUN --mount=type=cache,target=/x A=1 python x.py\n"),
            "(A=1); !python");
  EXPECT_EQ(launched("Dockerfile", "FROM x\nRUN <<EOF\nA=1 python x.py\nEOF\nENV B=1\n"),
            "(A=1); !python; B=1");
  EXPECT_EQ(launched("Dockerfile", "FROM x\nRUN export CUDA_VISIBLE_DEVICES=0\n"),
            "CUDA_VISIBLE_DEVICES?");
  EXPECT_EQ(launched("Dockerfile", "FROM x\nARG CUDA_VISIBLE_DEVICES=0\n"),
            "CUDA_VISIBLE_DEVICES?");
}

TEST(Dockerfile, TheRestOfALineIsAValue) {
  EXPECT_EQ(launched("Dockerfile", "ENV A 1 2 # x\nENV B \"x\" y\nENV C=1 # x\n"), "B=?");
  EXPECT_EQ(launched("Dockerfile", "ENV A 1, $X\nENV B 1 2#3\n"), "A=?; B=1 2#3");
  EXPECT_EQ(launched("Dockerfile", "ENV NCCL_DEBUG = INFO\nENV NCCL_DEBUG= INFO\nENV A= B=1\n"),
            "NCCL_DEBUG?; NCCL_DEBUG?; A=; B=1");
}

TEST(Dockerfile, ArgumentsOfTheBuildAreWhatTheyArePreset) {
  EXPECT_EQ(launched("Dockerfile", "FROM x\nARG V=1\nENV A=$V B=${V}\n"),
            "A=1 by default; B=1 by default");
  EXPECT_EQ(launched("Dockerfile", "ARG V=1\nFROM x\nENV A=$V\nARG V\nENV B=$V\n"),
            "A=?; B=1 by default");
  EXPECT_EQ(launched("Dockerfile", "FROM x\nARG V=1\nFROM y\nENV A=$V\n"), "A=?");
}

TEST(Compose, EnvironmentInBothForms) {
  EXPECT_EQ(launched("compose.yaml",
                     "services:\n  a:\n    environment:\n      A: 1\n      B: \"x\"\n"
                     "    command: python x.py\n"),
            "A=1; B=x; !python");
  EXPECT_EQ(launched("compose.yaml",
                     "services:\n  a:\n    environment:\n      - A=1\n      - B\n      - \"C=2\"\n"
                     "    command: [\"python\", \"x.py\"]\n"),
            "A=1; C=2; !python");
  EXPECT_EQ(launched("compose.yaml", "x:\n  environment:\n    - CUDA_VISIBLE_DEVICES=\"0\"\n"),
            "CUDA_VISIBLE_DEVICES=0; CUDA_VISIBLE_DEVICES?");
}

TEST(Compose, ValuesWithPresets) {
  EXPECT_EQ(
      launched("compose.yaml", "a:\n  environment:\n    A: ${X:-1}\n    B: ${X}\n    C: $$X\n"),
      "A=1 by default; B=?; C=$X (elsewhere)");
}

TEST(Kubernetes, NamesAndValues) {
  EXPECT_EQ(launched("job.yaml",
                     "containers:\n- name: c\n  image: i\n  env:\n  - name: A\n    value: \"1\"\n"
                     "  - {name: B, value: '2'}\n  - name: C\n    valueFrom: {}\n"
                     "  command: [python]\n  args: [x.py]\n"),
            "A=1; B=2; !python");
}

TEST(Workflow, EnvironmentAndScripts) {
  EXPECT_EQ(launched("workflow.yml",
                     "env:\n  A: ${{ x }}\njobs:\n  b:\n    steps:\n      - run: |\n"
                     "          export B=1  # why\n          C=2 python x.py\n        env:\n       "
                     "   D: :4096:8\n"),
            "A=?; D=:4096:8; B=1; (C=2); !python");
}

TEST(Workflow, VariablesForLaterSteps) {
  const std::string head = "jobs:\n  a:\n    steps:\n      - run: |\n          ";
  const std::string tail = "\n      - run: python x.py\n";
  EXPECT_EQ(launched("a.yml", head + "echo \"A=1\" >> $GITHUB_ENV" + tail), "!echo; A=1; !python");
  EXPECT_EQ(launched("a.yml", head + "echo A=1 | tee -a \"${GITHUB_ENV}\"" + tail),
            "!echo; !tee; A=1; !python");
  EXPECT_EQ(
      launched("a.yml", head + "cat >> $GITHUB_ENV <<EOF\n          A=1\n          EOF" + tail),
      "!cat; A=1; !python");
  EXPECT_EQ(launched("a.yml", head + "echo A=1 >> $GITHUB_OUTPUT" + tail), "!echo; !python");
  EXPECT_EQ(launched("a.sh", "python x.py\necho NCCL_DEBUG=INFO >> $GITHUB_ENV\n"),
            "!python; NCCL_DEBUG=INFO; !echo");
}

TEST(Ansible, Shell) {
  EXPECT_EQ(launched("a.yml", "- shell: |\n    A=1 python x.py\n"), "(A=1); !python");
  EXPECT_EQ(launched("a.yml", "- ansible.builtin.shell: A=1 python x.py\n"), "(A=1); !python");
  EXPECT_EQ(launched("a.yml", "- run: A=1 python x.py\n  shell: bash -l\n"), "(A=1); !python");
  EXPECT_EQ(launched("a.yml", "defaults:\n  shell: python {0}\n"), "");
}

TEST(Workflow, CommandsOfWindows) {
  const std::string set = "  - script: set NCCL_DEBUG=INFO\n";
  EXPECT_EQ(launched("a.yml", "pool:\n  vmImage: ubuntu-latest\nsteps:\n" + set), "NCCL_DEBUG?");
  EXPECT_EQ(launched("a.yml", "pool:\n  vmImage: windows-2022\nsteps:\n" + set), "");
  EXPECT_EQ(launched("a.yml", "jobs:\n- pool: {name: gpu, vmImage: win}\n  steps:\n" + set), "");
  EXPECT_EQ(launched("a.yml", "os: windows-2022\npool:\n  vmImage: $(os)\nsteps:\n" + set), "");
  EXPECT_EQ(launched("a.yml", "pool:\n  vmImage: windows\nsteps:\n  - bash: A=1 python x.py\n"),
            "(A=1); !python");
  EXPECT_EQ(launched("a.yml", "a:\n  runs-on: [self-hosted, windows]\n  steps:\n" + set), "");
}

TEST(Yaml, KeysThatAreVariables) {
  EXPECT_EQ(launched("config.yaml", "ENV_VARS:\n  NCCL_DEBUG: INFO\nother:\n  NCCL_DEBUG: WARN\n"),
            "NCCL_DEBUG=INFO; NCCL_DEBUG=WARN");
  EXPECT_EQ(launched("config.yaml", "doc: NCCL_DEBUG is set\n# NCCL_DEBUG: INFO\n"), "");
}

TEST(Dotenv, Lines) {
  EXPECT_EQ(launched(".env", "# A=0\nA=1\nexport B='x y'\nC = 2 # why\nD=\"$A\"\nno line\n"),
            "A=1; B=x y; C=2; D=1");
}

TEST(Systemd, EnvironmentAndProgram) {
  EXPECT_EQ(launched("a.service",
                     "[Service]\nEnvironment=A=1 \"B=x "
                     "y\"\n;Environment=C=1\nExecStart=/usr/bin/python3 x.py\n"),
            "A=1; B=x y; !python");
  EXPECT_EQ(launched("a.service", "ExecStart=python x.py\nEnvironment=CUDA_VISIBLE_DEVICES=0\n"),
            "CUDA_VISIBLE_DEVICES=0; !python");
}

TEST(Batch, Set) {
  EXPECT_EQ(
      launched("a.bat", "@echo off\r\nset A=1\r\nset \"B=x y\"\r\nrem set C=1\r\npython x.py\r\n"),
      "!echo; A=1; B=x y; !python");
  EXPECT_EQ(launched("a.bat", "set A=1 && python x.py\n:: set B=1\nset C=%A%\n"),
            "A=1; !python; C=?");
}

TEST(Powershell, Environment) {
  EXPECT_EQ(launched("a.ps1",
                     "$env:A = \"1\"\n$Env:B='2'; python x.py\n<# $env:C = 1\n#>\n# $env:D = 1\n"),
            "A=1; B=2; !python");
  EXPECT_EQ(launched("a.ps1", "$CUDA_VISIBLE_DEVICES = \"0\"\npython x.py\n"),
            "CUDA_VISIBLE_DEVICES?; !python");
  EXPECT_EQ(launched("a.ps1",
                     "Set-Item -Path Env:A -Value \"1\"\n"
                     "[Environment]::SetEnvironmentVariable('B', '2')\n"),
            "A=1; B=2");
}

TEST(Language, OfLaunchFiles) {
  using text::Language;
  using text::language_of;
  EXPECT_EQ(language_of("a/run.sbatch", ""), Language::shell);
  EXPECT_EQ(language_of("launch", "#!/usr/bin/env bash\n"), Language::shell);
  EXPECT_EQ(language_of("launch", "#!/bin/sh -e\n"), Language::shell);
  EXPECT_EQ(language_of("launch", "#!/usr/bin/fish\n"), Language::other);
  EXPECT_EQ(language_of("Dockerfile.rocm", ""), Language::dockerfile);
  EXPECT_EQ(language_of("Dockerfile_ascend_a3", ""), Language::dockerfile);
  EXPECT_EQ(language_of("train.Dockerfile", ""), Language::dockerfile);
  EXPECT_EQ(language_of("my_dockerfile_page.rst", ""), Language::other);
  EXPECT_EQ(language_of("Dockerfile.md", ""), Language::other);
  EXPECT_EQ(language_of(".env", ""), Language::dotenv);
  EXPECT_EQ(language_of(".env.local", ""), Language::dotenv);
  EXPECT_EQ(language_of("x.patch", ""), Language::other);
}

}  // namespace
}  // namespace vramlint
