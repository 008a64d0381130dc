// SPDX-License-Identifier: MIT
// What each kind of project file says about torch, Python and the hardware.
#include "config/project_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "config/dockerfile.h"
#include "config/manifests.h"

namespace vramlint::config {
namespace {

std::string shown(const std::vector<Statement>& statements) {
  std::string text;
  for (const Statement& each : statements) {
    text += (text.empty() ? "" : "; ") + each.specifier + " @" + std::to_string(each.line);
  }
  return text;
}

std::string shown(const std::vector<PlatformStatement>& platforms) {
  constexpr const char* names[] = {"any", "cuda", "rocm", "jetson"};
  std::string text;
  for (const PlatformStatement& each : platforms) {
    text += (text.empty() ? "" : " ") + std::string(names[static_cast<int>(each.platform)]);
  }
  return text;
}

/// Reads the text as the file of that name would be.
FileStatements read(const std::string& name, const std::string& text) {
  const int kind = kind_of(name);
  if (kind < 0) return {};
  const FileKind& found = file_kinds()[static_cast<std::size_t>(kind)];
  return found.read(text, knowledge::Knowledge::builtin());
}

std::string torch(const std::string& name, const std::string& text) {
  return shown(read(name, text).torch);
}

std::string python(const std::string& name, const std::string& text) {
  return shown(read(name, text).python);
}

std::string platforms(const std::string& name, const std::string& text) {
  return shown(read(name, text).platforms);
}

TEST(ProjectFiles, AreKnownByTheirNames) {
  for (const char* name : {"uv.lock",          "poetry.lock",
                           "pixi.lock",        "pylock.toml",
                           "pylock.gpu.toml",  "Pipfile.lock",
                           "pdm.lock",         "conda-lock.yml",
                           "requirements.txt", "requirements-dev.txt",
                           "pyproject.toml",   "pixi.toml",
                           "setup.cfg",        "Pipfile",
                           "environment.yml",  "environment-gpu.yaml",
                           "conda_env.yml",    ".python-version",
                           "Dockerfile",       "Containerfile",
                           "Dockerfile.rocm",  "Dockerfile-arm64",
                           "train.Dockerfile", "gpu.dockerfile"}) {
    EXPECT_GE(kind_of(name), 0) << name;
  }
  for (const char* name : {"README.md", "requirements.in", "Dockerfile.dockerignore", "main.py",
                           "Dockerfiles", "config.yml", "pylock.txt", "uv.lock.bak", ""}) {
    EXPECT_EQ(kind_of(name), -1) << name;
  }
}

TEST(ProjectFiles, AreWatched) {
  const std::vector<std::string> globs = watched_globs();
  const auto is_watched = [&](const std::string& name) {
    return std::ranges::any_of(globs, [&](const std::string& glob) {
      return NamePattern(glob.substr(sizeof("**/") - 1).c_str()).matches(name);
    });
  };
  for (const char* name : {"vramlint.toml", "shared.toml", "pylock.gpu.toml", "setup.py", "Pipfile",
                           "gpu.conda-lock.yml", "environment-gpu.yaml", "Dockerfile.rocm"}) {
    EXPECT_TRUE(may_configure(name)) << name;
    EXPECT_TRUE(is_watched(name)) << name;
  }
  for (const char* name : {"main.py", "config.yml", "notes.txt", "Dockerfiles"}) {
    EXPECT_FALSE(may_configure(name)) << name;
    EXPECT_FALSE(is_watched(name)) << name;
  }
}

TEST(NamePatterns, HaveUpToTwoStars) {
  const auto matches = [](const char* pattern, const char* name) {
    return NamePattern(pattern).matches(name);
  };
  EXPECT_TRUE(matches("env*.yml", "env.yml"));
  EXPECT_TRUE(matches("env*.yml", "environment.yml"));
  EXPECT_FALSE(matches("env*.yml", "env.yaml"));
  EXPECT_FALSE(matches("aba*aba", "aba")) << "ends overlap";
  EXPECT_TRUE(matches("*conda*.yml", "my-conda-env.yml"));
  EXPECT_FALSE(matches("*.yml*.yml", "a.yml")) << "the middle lies in the end";
  EXPECT_FALSE(matches("", ""));
}

TEST(Specifiers, OfPip) {
  const auto pip = [](const char* line) { return torch("requirements.txt", line); };
  EXPECT_EQ(pip("torch>=2.4,<2.10"), ">=2.4,<2.10 @1");
  EXPECT_EQ(pip("torch ~= 2.4"), "~=2.4 @1");
  EXPECT_EQ(pip("torch!=2.5.0,>=2.4"), "!=2.5.0,>=2.4 @1");
  EXPECT_EQ(pip("torch==2.4.*"), "==2.4.* @1");
  EXPECT_EQ(pip("torch==2.4.1+cu121"), "==2.4.1 @1");
  EXPECT_EQ(pip("torch>=2.6.0.dev20241112"), ">=2.6.0.dev20241112 @1");
  EXPECT_EQ(pip("torch==2.4.1 \\\n    --hash=sha256:00"), "==2.4.1 @1");
  EXPECT_EQ(pip("torch @ https://wheels.example/whl/cu121/"
                "torch-2.4.0%2Bcu121-cp310-cp310-linux_x86_64.whl"),
            "==2.4.0 @1");
  EXPECT_EQ(pip("https://wheels.example/whl/cpu/torch-2.3.1%2Bcpu-cp311-cp311-win.whl"),
            "==2.3.1 @1");
  EXPECT_EQ(pip("torch\ntorch-geometric==2.5\npytorch-lightning==2.1\n# torch==1\n"), "");
}

TEST(Specifiers, OfPoetry) {
  const auto poetry = [](const std::string& version) {
    return torch("pyproject.toml", "[tool.poetry.dependencies]\ntorch = " + version + "\n");
  };
  EXPECT_EQ(poetry("\"^2.4\""), ">=2.4,<3 @2");
  EXPECT_EQ(poetry("\"^0.4.1\""), ">=0.4.1,<0.5 @2");
  EXPECT_EQ(poetry("\"~2.4.1\""), ">=2.4.1,<2.5 @2");
  EXPECT_EQ(poetry("\"~2\""), ">=2,<3 @2");
  EXPECT_EQ(poetry("\"2.4.*\""), "==2.4.* @2");
  EXPECT_EQ(poetry("\"2.4.1\""), "==2.4.1 @2");
  EXPECT_EQ(poetry("\">=2.1 <2.5\""), ">=2.1,<2.5 @2");
  EXPECT_EQ(poetry("\"^1.13 || ^2.1\""), ">=1.13,<2 @2; >=2.1,<3 @2");
  EXPECT_EQ(poetry("\"*\""), "");
  EXPECT_EQ(poetry("{version = \"^2.1\", source = \"torch-cpu\"}"), ">=2.1,<3 @2");
  EXPECT_EQ(poetry("[{version = \"2.1.0\", platform = \"darwin\"}, {version = \"2.2.0\"}]"),
            "==2.1.0 @2; ==2.2.0 @2");
  EXPECT_EQ(poetry("{url = \"https://x/torch-2.1.0%2Bcu118-cp310-cp310-linux_x86_64.whl\"}"),
            "==2.1.0 @2");
}

TEST(Specifiers, OfConda) {
  const auto conda = [](const std::string& package) {
    return torch("environment.yml", "dependencies:\n  - " + package + "\n");
  };
  EXPECT_EQ(conda("pytorch=2.1"), "==2.1.* @2");
  EXPECT_EQ(conda("pytorch==2.1.*"), "==2.1.* @2");
  EXPECT_EQ(conda("pytorch::pytorch=2.1"), "==2.1.* @2");
  EXPECT_EQ(conda("\"pytorch>=2.1,<2.3\""), ">=2.1,<2.3 @2");
  EXPECT_EQ(conda("conda-forge::pytorch-gpu 2.4.1 cuda120*"), "==2.4.1 @2");
  EXPECT_EQ(conda("pytorch=2.1.0=py3.10_cuda12.1_cudnn8.9.2_0"), "==2.1.0.* @2");
  EXPECT_EQ(conda("pytorch 2.1|2.2"), "==2.1 @2; ==2.2 @2");
  EXPECT_EQ(conda("pytorch"), "");
  EXPECT_EQ(conda("pytorch-cuda=12.1"), "");
}

TEST(Locks, OfUv) {
  const std::string lock =
      "version = 1\nrevision = 3\nrequires-python = \">=3.10\"\n\n[[package]]\n"
      "name = \"app\"\nversion = \"0.1\"\ndependencies = [\n"
      "    { name = \"torch\", version = \"2.9.1\", source = { registry = \"x\" } },\n]\n\n"
      "[[package]]\nname = \"torch\"\nversion = \"2.9.1\"\n"
      "source = { registry = \"https://wheels.example/whl/cpu\" }\nwheels = [\n"
      "    { url = \"https://wheels.example/whl/cpu/torch-2.9.1.whl\" },\n]\n\n"
      "[[package]]\nname = \"torch\"\nversion = \"2.9.1+rocm6.4\"\n";
  EXPECT_EQ(torch("uv.lock", lock), "==2.9.1 @14");
  EXPECT_EQ(python("uv.lock", lock), ">=3.10 @3");
  EXPECT_EQ(platforms("uv.lock", lock), "any");
  EXPECT_EQ(platforms("uv.lock",
                      "[[package]]\nname = \"torch\"\nversion = \"2.9.1\"\n"
                      "source = { registry = \"https://x/whl/rocm6.4\" }\n"),
            "rocm");
}

TEST(Locks, OfPoetryAndPdm) {
  const std::string lock =
      "[[package]]\nname = \"tornado\"\nversion = \"6.4\"\npython-versions = \">=3.8\"\n\n"
      "[[package]]\nname = \"torch\"\nversion = \"2.4.1+rocm6.1\"\ndescription = \"\"\n"
      "python-versions = \">=3.8.0\"\n\n[metadata]\nlock-version = \"2.0\"\n"
      "python-versions = \">=3.10,<3.13\"\n";
  EXPECT_EQ(torch("poetry.lock", lock), "==2.4.1 @8");
  EXPECT_EQ(python("poetry.lock", lock), ">=3.10,<3.13 @14");
  EXPECT_EQ(platforms("poetry.lock", lock), "rocm");
  EXPECT_EQ(torch("pdm.lock", "\n[[package]]\nname = \"torch\"\nversion = \"2.1.0\"\n"),
            "==2.1.0 @4");
}

TEST(Locks, OfPylock) {
  const std::string lock =
      "lock-version = \"1.0\"\nrequires-python = \">=3.12\"\ncreated-by = \"uv\"\n\n"
      "[[packages]]\nname = \"torch\"\nversion = \"2.7.0\"\n\n"
      "[[packages]]\nname = \"triton\"\nversion = \"3.3.0\"\nrequires-python = \">=3.9\"\n";
  EXPECT_EQ(torch("pylock.toml", lock), "==2.7.0 @7");
  EXPECT_EQ(python("pylock.toml", lock), ">=3.12 @2");
  EXPECT_EQ(python("pylock.toml", "[[packages]]\nrequires-python = \">=3.9\"\n"), "");
}

TEST(Locks, OfPixiAndConda) {
  const std::string lock =
      "version: 6\nenvironments:\n  default:\n    packages:\n      linux-64:\n"
      "      - conda: https://conda.anaconda.org/conda-forge/linux-64/python-3.12.7-hc5c_0.conda\n"
      "      - conda: https://x/linux-64/pytorch-2.4.1-cuda120_py312h1_303.conda\n"
      "      - conda: https://x/linux-64/pytorch-cuda-12.1-ha16c6d3_6.conda\npackages:\n"
      "- conda: https://x/linux-64/pytorch-2.4.1-cuda120_py312h1_303.conda\n  sha256: 00\n"
      "- pypi: https://x/torch-2.5.0%2Bcu124-cp312-cp312-linux_x86_64.whl\n"
      "  name: torch\n  version: 2.5.0\n";
  EXPECT_EQ(torch("pixi.lock", lock), "==2.4.1 @7; ==2.5.0 @12");
  EXPECT_EQ(python("pixi.lock", lock), "==3.12.7 @6");
  EXPECT_EQ(torch("pixi.lock",
                  "packages:\n- kind: conda\n  name: pytorch\n  version: 2.1.0\n"
                  "- kind: conda\n  name: numpy\n  version: 1.26.0\n"),
            "==2.1.0 @4");
  EXPECT_EQ(torch("conda-lock.yml",
                  "package:\n- name: pytorch\n  version: 2.0.1\n"
                  "  manager: conda\n- name: x\n  version: 1.0\n"),
            "==2.0.1 @3");
}

TEST(Locks, OfPipfile) {
  const std::string lock =
      "{\n    \"_meta\": {\n        \"requires\": {\n            \"python_version\": \"3.11\"\n"
      "        }\n    },\n    \"default\": {\n        \"torch\": {\n            \"hashes\": [\n"
      "                \"sha256:00\"\n            ],\n            \"version\": \"==2.2.0\"\n"
      "        },\n        \"numpy\": {\n            \"version\": \"==1.26.0\"\n        }\n    "
      "}\n}\n";
  EXPECT_EQ(torch("Pipfile.lock", lock), "==2.2.0 @12");
  EXPECT_EQ(python("Pipfile.lock", lock), "==3.11 @4");
}

TEST(Manifests, OfTheProjectBeforeItsGroups) {
  EXPECT_EQ(
      torch("pyproject.toml",
            "[project]\nrequires-python = \">=3.9\"\ndependencies = [\n  \"numpy\",\n"
            "  \"torch>=2.2\",\n]\n[project.optional-dependencies]\ngpu = [\"torch==2.6\"]\n"),
      ">=2.2 @5");
  EXPECT_EQ(torch("pyproject.toml",
                  "[project]\ndependencies = [\"torch\"]\n"
                  "[dependency-groups]\ndev = [\"torch==2.6\"]\n"),
            "==2.6 @4");
  EXPECT_EQ(torch("pyproject.toml", "[tool.poetry.group.train.dependencies]\ntorch = \"2.3.*\"\n"),
            "==2.3.* @2");
  EXPECT_EQ(torch("pyproject.toml", "[tool.pdm.dev-dependencies]\nml = [\"torch~=2.3\"]\n"),
            "~=2.3 @2");
  EXPECT_EQ(torch("pyproject.toml", "[tool.uv]\noverride-dependencies = [\"torch==2.5.1\"]\n"),
            "==2.5.1 @2");
}

TEST(Manifests, StateThePython) {
  EXPECT_EQ(python("pyproject.toml", "[project]\nrequires-python = \">=3.10,<3.13\"\n"),
            ">=3.10,<3.13 @2");
  EXPECT_EQ(python("pyproject.toml", "[tool.poetry.dependencies]\npython = \"^3.10\"\n"),
            ">=3.10,<4 @2");
  EXPECT_EQ(python("setup.cfg", "[options]\npython_requires = >=3.8\n"), ">=3.8 @2");
  EXPECT_EQ(python("Pipfile", "[requires]\npython_version = \"3.11\"\n"), "==3.11 @2");
  EXPECT_EQ(python("environment.yml", "dependencies:\n- python=3.11\n"), "==3.11.* @2");
  EXPECT_EQ(python(".python-version", "3.11.4\n"), "==3.11.4 @1");
  EXPECT_EQ(python(".python-version", "# mine\ncpython@3.12\npypy3.10-7.3.12\n"),
            "==3.12 @2; ==3.10 @3");
  EXPECT_EQ(python(".python-version", "3\n"), "==3.* @1");
  EXPECT_EQ(python(".python-version", "my-environment\n"), "");
}

TEST(Manifests, OfPixi) {
  const std::string manifest =
      "[workspace]\nchannels = [\"conda-forge\"]\n[dependencies]\npython = \"3.12.*\"\n"
      "pytorch-gpu = { version = \">=2.4,<2.6\", build = \"cuda*\" }\n";
  EXPECT_EQ(torch("pixi.toml", manifest), ">=2.4,<2.6 @5");
  EXPECT_EQ(python("pixi.toml", manifest), "==3.12.* @4");
  EXPECT_EQ(torch("pyproject.toml",
                  "[tool.pixi.pypi-dependencies]\n"
                  "torch = { version = \"==2.5.1\", index = \"https://x\" }\n"),
            "==2.5.1 @2");
  EXPECT_EQ(torch("pixi.toml", "[feature.gpu.target.linux-64.dependencies]\npytorch = \"2.5\"\n"),
            "==2.5 @2");
}

TEST(Manifests, OfSetupCfgAndPipfile) {
  EXPECT_EQ(torch("setup.cfg",
                  "[metadata]\nname = x\n[options]\ninstall_requires =\n    numpy\n"
                  "    torch>=2.0,<3\n[options.extras_require]\ndev =\n    torch==1.0\n"),
            ">=2.0,<3 @6");
  EXPECT_EQ(torch("setup.cfg", "[options.extras_require]\ntorch = torch>=1.9\n"), ">=1.9 @2");
  EXPECT_EQ(torch("Pipfile", "[packages]\ntorch = {version = \"==2.1.0\", index = \"cu\"}\n"),
            "==2.1.0 @2");
}

TEST(Manifests, OfConda) {
  const std::string environment =
      "name: train\nchannels: [pytorch, nvidia]\ndependencies:\n  - python=3.11\n  - pip\n"
      "  - pip:\n      - --extra-index-url https://wheels.example/whl/rocm6.0\n"
      "      - torch==2.3.0+rocm6.0\n      - numpy\n";
  EXPECT_EQ(torch("environment.yml", environment), "==2.3.0 @8");
  EXPECT_EQ(platforms("environment.yml", environment), "rocm rocm");
  EXPECT_EQ(torch("env.yaml", "dependencies: [pytorch=2.1, pip]\n"), "==2.1.* @1");
  EXPECT_EQ(torch("environment.yml", "env:\n  - pytorch=2.1\n"), "");
}

TEST(Requirements, NameIndexesAndFiles) {
  const FileStatements found =
      read("requirements.txt",
           "--index-url https://wheels.example/whl/rocm6.0\n"
           "-r base.txt\n-c ../constraints.txt\n-r https://x/y.txt\ntorch\n");
  EXPECT_EQ(shown(found.platforms), "rocm any");
  EXPECT_EQ(found.includes, (std::vector<std::string>{"base.txt", "../constraints.txt"}));
  EXPECT_EQ(platforms("requirements.txt", "torch==2.4.1+rocm6.1\n"), "rocm");
  EXPECT_EQ(platforms("requirements.txt", "--extra-index-url=https://x/whl/cu121\n"), "cuda");
  EXPECT_EQ(platforms("pyproject.toml",
                      "[[tool.uv.index]]\nname = \"torch\"\n"
                      "url = \"https://wheels.example/whl/rocm6.2\"\n"),
            "rocm");
}

TEST(ProjectFiles, ThatAreBrokenSayNothing) {
  constexpr char garbage[] = "\0\xff\xfe torch\x01[[[{{\"'python\n\r\n- : :\n";
  const std::vector<std::string> texts = {
      "",
      std::string(garbage, sizeof garbage - 1),
      "torch = [\n",
      "[project]\ndependencies = 3\n",
      "[tool]\npoetry = []\n[project]\nrequires-python = {}\n",
      "FROM\nRUN\nARG\nENV\n",
  };
  for (const char* name :
       {"uv.lock", "pixi.lock", "Pipfile.lock", "requirements.txt", "pyproject.toml", "pixi.toml",
        "setup.cfg", "Pipfile", "environment.yml", ".python-version", "Dockerfile"}) {
    for (const std::string& text : texts) EXPECT_EQ(torch(name, text), "") << name << ": " << text;
  }
}

}  // namespace
}  // namespace vramlint::config
