// SPDX-License-Identifier: MIT
// Which of the files of a project wins.
#include "config/inference.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace vramlint::config {
namespace {

const knowledge::Knowledge& tables() { return knowledge::Knowledge::builtin(); }

/// Files under `/p`, which is the project.
class Project {
 public:
  Project(std::initializer_list<std::pair<const std::string, std::string>> files) : files_(files) {}

  Inferred in(const std::string& folder) {
    Surroundings surroundings;
    surroundings.read = [this](const std::string& path, uint64_t) -> std::optional<std::string> {
      ++reads_;
      const auto found = files_.find(path);
      return found == files_.end() ? std::nullopt : std::optional(found->second);
    };
    surroundings.may_include = [](const std::string& path) { return path.starts_with("/p/"); };
    surroundings.shown = [](const std::string& path) { return path.substr(3); };
    std::vector<std::string> names;
    for (const auto& [path, text] : files_) {
      const std::size_t slash = path.rfind('/');
      if (path.substr(0, slash) == folder) names.push_back(path.substr(slash + 1));
    }
    return infer_from_folder(folder, names, surroundings, tables());
  }

  int reads() const { return reads_; }

 private:
  std::map<std::string, std::string> files_;
  int reads_ = 0;
};

std::string shown(const std::optional<StatedVersions>& stated) {
  if (!stated) return "none";
  std::string text;
  for (const knowledge::Version version : stated->versions) {
    text += (text.empty() ? "" : " ") + knowledge::to_string(version);
  }
  return stated->text + " (" + text + ") from " + stated->origin;
}

std::string torch(Project project) { return shown(project.in("/p").torch); }

std::string platform(Project project) {
  const std::optional<StatedPlatform> stated = project.in("/p").platform;
  return stated ? std::string(name_of(stated->platform)) + " from " + stated->origin : "none";
}

const std::string lock = "\n[[package]]\nname = \"torch\"\nversion = \"2.9.1\"\n";

TEST(Inference, ALockBeforeAPinBeforeARange) {
  EXPECT_EQ(torch({{"/p/uv.lock", lock}, {"/p/requirements.txt", "torch==2.4\n"}}),
            "2.9.1 (2.9) from uv.lock:4");
  EXPECT_EQ(torch({{"/p/requirements.txt", "torch>=2.2,<2.5\n"},
                   {"/p/Dockerfile", "FROM pytorch/pytorch:2.4.1-cuda12.1-cudnn9-runtime\n"}}),
            "2.4.1 (2.4) from Dockerfile:1");
  EXPECT_EQ(torch({{"/p/requirements.txt", "torch>=2.2,<2.4\n"},
                   {"/p/pyproject.toml", "[project]\ndependencies = ['torch>=2']\n"}}),
            ">=2.2,<2.4 (2.2 2.3) from requirements.txt:1");
  EXPECT_EQ(torch({{"/p/requirements.txt", "torch==2.10\n"},
                   {"/p/Dockerfile", "FROM nvcr.io/nvidia/pytorch:24.05-py3\n"}}),
            "2.10 (2.10) from requirements.txt:1");
}

TEST(Inference, APinDoesNotGoAgainstAnEarlierRange) {
  EXPECT_EQ(torch({{"/p/requirements.txt", "torch>=2.6,<2.8\n"},
                   {"/p/Dockerfile", "FROM nvcr.io/nvidia/pytorch:24.05-py3\n"}}),
            ">=2.6,<2.8 (2.6 2.7) from requirements.txt:1");
}

TEST(Inference, PinsThatDisagreeAreAUnion) {
  EXPECT_EQ(torch({{"/p/requirements.txt", "torch==2.6\n"},
                   {"/p/requirements-dev.txt", "numpy\ntorch==2.4.1\n"}}),
            "2.6 or 2.4.1 (2.4 2.6) from requirements.txt:1, requirements-dev.txt:2");
  EXPECT_EQ(torch({{"/p/Dockerfile", "FROM nvcr.io/nvidia/pytorch:24.05-py3\n"},
                   {"/p/Dockerfile.old", "FROM nvcr.io/nvidia/pytorch:24.04-py3\n"}}),
            "2.4 or 2.3 (2.3 2.4) from Dockerfile:1, Dockerfile.old:1");
  EXPECT_EQ(torch({{"/p/pyproject.toml", "[tool.poetry.dependencies]\ntorch='^1.12 || ~2.1'\n"}}),
            "^1.12 or ~2.1 (1.12 1.13 2.1) from pyproject.toml:2");
}

TEST(Inference, BeyondTheKnownReleases) {
  const std::string newest = knowledge::to_string(tables().newest_torch());
  EXPECT_EQ(torch({{"/p/requirements.txt", "torch==97.3\n"}}),
            "97.3 (97.3) from requirements.txt:1");
  EXPECT_EQ(torch({{"/p/requirements.txt", "torch>=97.3\n"}}),
            ">=97.3 (" + newest + ") from requirements.txt:1");
  EXPECT_EQ(torch({{"/p/requirements.txt", "torch==0.4.1\n"}}),
            "0.4.1 (0.4) from requirements.txt:1");
  EXPECT_EQ(torch({{"/p/requirements.txt", "torch<0.5\n"}}), "<0.5 (1.0) from requirements.txt:1");
  EXPECT_EQ(torch({{"/p/requirements.txt", "torch>2.6,<2.4\n"}}), "none");
  EXPECT_EQ(torch({{"/p/requirements.txt", "torch==nope\n"}}), "none");
}

TEST(Inference, FollowsIncludesInsideTheProject) {
  EXPECT_EQ(torch({{"/p/requirements.txt", "-r requirements/base.txt\n-c deep/../pins.txt\n"},
                   {"/p/requirements/base.txt", "torch>=2\n-r ../requirements.txt\n"},
                   {"/p/pins.txt", "torch==2.4.1\n"}}),
            "2.4.1 (2.4) from pins.txt:1");
  EXPECT_EQ(torch({{"/p/requirements.txt", "-r ../../../etc/pins.txt\n-r /q/pins.txt\n"},
                   {"/etc/pins.txt", "torch==2.4.1\n"},
                   {"/q/pins.txt", "torch==2.4.1\n"}}),
            "none");
}

TEST(Inference, EndsWhereFilesIncludeEachOther) {
  Project ring{{"/p/requirements.txt", "-r requirements.txt\n-r a.txt\ntorch==2.4\n"},
               {"/p/a.txt", "-r requirements.txt\n-r ./a.txt\n"}};
  EXPECT_EQ(shown(ring.in("/p").torch), "2.4 (2.4) from requirements.txt:3");
}

TEST(Inference, EndsWhereFilesAreMany) {
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "-r r" + std::to_string(i) + ".txt\n";
  Project project{{"/p/requirements.txt", many + "torch==2.4\n"}};
  EXPECT_EQ(project.in("/p").torch->text, "2.4");
  EXPECT_LE(project.reads(), 100);
}

TEST(Inference, ReadsWhatPowerShellWrites) {
  std::string wide = "\xff\xfe";
  for (const char byte : std::string("torch==2.4.0\r\n")) wide += std::string{byte, '\0'};
  EXPECT_EQ(torch({{"/p/requirements.txt", wide}}), "2.4.0 (2.4) from requirements.txt:1");
  EXPECT_EQ(torch({{"/p/requirements.txt", "\xef\xbb\xbftorch==2.4.0\n"}}),
            "2.4.0 (2.4) from requirements.txt:1");
}

TEST(Inference, TheNearerFolderWins) {
  Project project{{"/p/requirements.txt", "torch==2.4\n"},
                  {"/p/.python-version", "3.11\n"},
                  {"/p/a/requirements.txt", "torch>=2.6,<2.8\n"}};
  const Inferred inner = inherited(project.in("/p/a"), project.in("/p"));
  EXPECT_EQ(shown(inner.torch), ">=2.6,<2.8 (2.6 2.7) from a/requirements.txt:1");
  EXPECT_EQ(shown(inner.python), "3.11 (3.11) from .python-version:1");
}

TEST(Inference, ALockAboveResolvesARangeThatItFits) {
  Project project{{"/p/uv.lock", lock},
                  {"/p/a/pyproject.toml", "[project]\ndependencies = ['torch>=2.6']\n"},
                  {"/p/b/pyproject.toml", "[project]\ndependencies = ['torch<2.6,>=2.4']\n"},
                  {"/p/c/requirements.txt", "torch==1.13.1\n"}};
  const Inferred top = project.in("/p");
  EXPECT_EQ(inherited(project.in("/p/a"), top).torch->text, "2.9.1");
  EXPECT_EQ(inherited(project.in("/p/b"), top).torch->text, "<2.6,>=2.4");
  EXPECT_EQ(inherited(project.in("/p/c"), top).torch->text, "1.13.1");
}

TEST(Inference, HardwareIsClaimedWhereAllAgree) {
  const std::string rocm = "FROM rocm/pytorch:latest\n";
  EXPECT_EQ(platform({{"/p/Dockerfile", rocm}}), "rocm from Dockerfile:1");
  EXPECT_EQ(platform({{"/p/Dockerfile.jetson", "FROM dustynv/l4t-pytorch:r36.2.0\n"}}),
            "jetson from Dockerfile.jetson:1");
  EXPECT_EQ(platform({{"/p/Dockerfile.rocm", rocm}, {"/p/Dockerfile", "FROM ubuntu\n"}}), "none");
  EXPECT_EQ(platform({{"/p/Dockerfile", rocm}, {"/p/requirements.txt", "torch==2.4.1+cu121\n"}}),
            "none");
  EXPECT_EQ(platform({{"/p/Dockerfile", rocm}, {"/p/requirements.txt", "torch==2.4.1\n"}}),
            "rocm from Dockerfile:1");
  EXPECT_EQ(platform({{"/p/requirements.txt",
                       "--index-url https://wheels.example/whl/rocm6.0\ntorch\n"}}),
            "rocm from requirements.txt:1");
  EXPECT_EQ(platform({{"/p/requirements.txt", "torch==2.4.1\n"},
                      {"/p/requirements-rocm.txt", "torch==2.4.1+rocm6.1\n"}}),
            "none");
}

}  // namespace
}  // namespace vramlint::config
