// SPDX-License-Identifier: MIT
//
// Which names PyTorch's modules have, by release, and what was meant by one that they lack.
#include "knowledge/names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/knowledge.h"

namespace vramlint::knowledge {
namespace {

const std::vector<Version> only_2_11 = {{2, 11}};

NamePresence presence(std::string_view module, std::string_view name,
                      const std::vector<Version>& versions = only_2_11) {
  return name_status(module, name, versions).presence;
}

std::vector<Version> all_releases() {
  std::vector<Version> out;
  for (const TorchVersionRow& row : Knowledge::builtin().torch_versions()) {
    out.push_back(row.version);
  }
  return out;
}

/// `torch.cuda.memory` and `allocated`.
std::pair<std::string_view, std::string_view> parts_of(std::string_view dotted) {
  const std::size_t dot = dotted.find_last_of('.');
  return {dotted.substr(0, dot), dotted.substr(dot + 1)};
}

TEST(Names, OnlyModulesThatWereReadCanSayNo) {
  EXPECT_TRUE(is_closed("torch.cuda"));
  EXPECT_TRUE(is_closed("torch.backends.cudnn"));
  for (const char* module : {"torch", "torch.nn", "torch.cuda.", "cuda", ""}) {
    EXPECT_FALSE(is_closed(module)) << module;
    EXPECT_EQ(presence(module, "nobody_wrote_this"), NamePresence::open) << module;
  }
}

TEST(Names, AreThereOrNot) {
  EXPECT_EQ(presence("torch.cuda", "memory_allocated", all_releases()), NamePresence::all);
  EXPECT_EQ(presence("torch.cuda", "memory_reserved"), NamePresence::all);
  EXPECT_EQ(presence("torch.cuda", "FloatTensor"), NamePresence::all);
  EXPECT_EQ(presence("torch.cuda", "os"), NamePresence::all);
  EXPECT_EQ(presence("torch.cuda.memory", "allocated", all_releases()), NamePresence::never);
  EXPECT_EQ(presence("torch.cuda.memory", "", all_releases()), NamePresence::never);
  EXPECT_EQ(presence("torch.cuda", "Memory_Allocated"), NamePresence::never);
}

TEST(Names, ComeAndGoWithReleases) {
  EXPECT_EQ(presence("torch.cuda", "mem_get_info", {{1, 8}, {1, 9}}), NamePresence::elsewhere);
  EXPECT_EQ(presence("torch.cuda", "mem_get_info", {{1, 9}, {1, 10}}), NamePresence::some);
  EXPECT_EQ(name_status("torch.cuda", "mem_get_info", only_2_11).torch.since, (Version{1, 10}));
  const NameStatus context = name_status("torch.cuda.memory", "MemPoolContext", only_2_11);
  EXPECT_EQ(context.presence, NamePresence::elsewhere);
  EXPECT_EQ(context.torch.since, (Version{2, 5}));
  EXPECT_EQ(context.torch.until, (Version{2, 7}));
  // The module itself is younger than the release.
  EXPECT_EQ(presence("torch.accelerator", "synchronize", {{2, 4}}), NamePresence::elsewhere);
}

TEST(Names, OfPythonItselfAreEverywhere) {
  EXPECT_EQ(presence("torch.cuda", "__file__", all_releases()), NamePresence::all);
  EXPECT_EQ(presence("torch.cuda", "____"), NamePresence::never);
}

TEST(Names, OfReleasesThatNobodyReadAreNotDenied) {
  EXPECT_EQ(presence("torch.cuda", "nobody_wrote_this", {{97, 3}}), NamePresence::all);
  EXPECT_EQ(presence("torch.cuda", "nobody_wrote_this", {{2, 11}, {97, 3}}), NamePresence::some);
  EXPECT_EQ(presence("torch.cuda", "memory_allocated", {{97, 3}}), NamePresence::all);
}

TEST(Names, WithoutVersionsEveryReleaseCounts) {
  EXPECT_EQ(presence("torch.cuda", "memory_allocated", {}), NamePresence::all);
  EXPECT_EQ(presence("torch.cuda", "mem_get_info", {}), NamePresence::some);
  EXPECT_EQ(presence("torch.accelerator", "synchronize", {}), NamePresence::all);
  EXPECT_EQ(presence("torch.cuda", "nobody_wrote_this", {}), NamePresence::never);
}

TEST(Names, MayBeAddedByOtherPackages) {
  EXPECT_TRUE(name_status("torch.cuda", "device", only_2_11).extended_by.empty());
  EXPECT_FALSE(name_status("torch.xpu", "nobody_wrote_this", only_2_11).extended_by.empty());
}

TEST(Names, NearestByWords) {
  const auto nearest = [](std::string_view module, std::string_view name) {
    return nearest_member(module, name, only_2_11);
  };
  EXPECT_EQ(nearest("torch.cuda.memory", "allocated"), "memory_allocated");
  EXPECT_EQ(nearest("torch.cuda.memory", "reserved"), "memory_reserved");
  EXPECT_EQ(nearest("torch.cuda", "max_allocated"), "max_memory_allocated");
  EXPECT_EQ(nearest("torch.cuda", "set_memory_fraction"), "set_per_process_memory_fraction");
  EXPECT_EQ(nearest("torch.cuda.memory", "record_memory_history"), "_record_memory_history");
  EXPECT_EQ(nearest("torch.cuda", "get_memory_allocated"), "memory_allocated");
}

TEST(Names, NearestByLetters) {
  EXPECT_EQ(nearest_member("torch.cuda", "memory_alocated", only_2_11), "memory_allocated");
  EXPECT_EQ(nearest_member("torch.cuda", "empty_cahce", only_2_11), "empty_cache");
  EXPECT_EQ(nearest_member("torch.multiprocessing", "set_start_methode", only_2_11),
            "set_start_method");
  EXPECT_EQ(nearest_member("torch.cuda", "quetzalcoatl", only_2_11), "");
  EXPECT_EQ(nearest_member("torch.cuda", "", only_2_11), "");
  EXPECT_EQ(nearest_member("torch.nn", "Linaer", only_2_11), "");
}

TEST(Names, NearestIsThereInEveryRelease) {
  EXPECT_EQ(nearest_member("torch.cuda", "mem_get_inf", {}), "mem_get_info");
  const std::vector<Version> old = {{1, 8}};
  EXPECT_NE(nearest_member("torch.cuda", "mem_get_inf", old), "mem_get_info");
}

TEST(Names, EveryRowIsFound) {
  for (const NameRow& row : Knowledge::builtin().names()) {
    // Of torch itself some names are listed, and nothing is concluded from the others.
    NameModuleRow open;
    open.read_to = Knowledge::builtin().newest_torch();
    ASSERT_TRUE(is_closed(row.module) || row.module == "torch") << row.module;
    for (const std::string_view name : row.names) {
      const NameModuleRow& module = is_closed(row.module) ? *closed_module(row.module) : open;
      const Version since = std::max(row.torch.since, module.torch.since);
      const std::vector<Version> ends = {since, std::min(row.torch.until, module.read_to)};
      EXPECT_EQ(presence(row.module, name, ends), NamePresence::all) << row.module << "." << name;
    }
  }
}

TEST(Names, OfAModuleThatIsNotKnownAsAWhole) {
  const std::vector<Version> old = {{2, 3}};
  EXPECT_EQ(presence("torch", "OutOfMemoryError", old), NamePresence::elsewhere);
  EXPECT_EQ(presence("torch", "OutOfMemoryErro", old), NamePresence::open);
}

TEST(ReplacedNames, AgreeWithTheNames) {
  const Version newest = Knowledge::builtin().newest_torch();
  for (const ReplacedNameRow& row : Knowledge::builtin().replaced_names()) {
    EXPECT_EQ(replaced_name(row.name), &row);
    const auto [module, name] = parts_of(row.name);
    if (is_closed(module)) {
      const NameStatus status = name_status(module, name, all_releases());
      EXPECT_EQ(status.presence == NamePresence::never, row.never) << row.name;
      const bool is_gone = status.torch.until < row.removed && row.removed < last_version;
      EXPECT_EQ(is_gone, row.removed < last_version) << row.name;
      if (is_gone) {
        EXPECT_EQ(presence(module, name, {row.removed}), NamePresence::elsewhere) << row.name;
      }
    }
    const auto [by_module, by] = parts_of(row.by);
    if (is_closed(by_module)) {
      EXPECT_EQ(presence(by_module, by, {newest}), NamePresence::all) << row.by;
    }
  }
  EXPECT_EQ(replaced_name("torch.cuda.memory_allocated"), nullptr);
  EXPECT_EQ(replaced_name(""), nullptr);
}

}  // namespace
}  // namespace vramlint::knowledge
