// SPDX-License-Identifier: MIT
//
// Whether a release takes a string, when it fails, and what is in force afterwards. Each answer is
// what the released library said when it was asked.
#include <gtest/gtest.h>

#include "knowledge/knowledge.h"
#include "settings/allocator_string.h"

namespace vramlint::settings {
namespace {

using knowledge::Platform;
using knowledge::Version;

AllocatorReading read(std::string_view string, Version torch, Platform platform = Platform::linux) {
  const knowledge::Knowledge& all = knowledge::Knowledge::builtin();
  const knowledge::AllocatorTables tables{all.allocator_keys(), all.allocator_grammars(),
                                          all.allocator_interactions()};
  return read_allocator_string(string, torch, tables, platform);
}

/// `ok`, `import` or `init`.
std::string fate(std::string_view string, Version torch, Platform platform = Platform::linux) {
  const AllocatorReading reading = read(string, torch, platform);
  if (reading.accepted) return "ok";
  return reading.fails_at == FailsAt::import_torch ? "import" : "init";
}

SettingValue value(std::string_view string, Version torch, std::string_view key) {
  for (const Setting& setting : read(string, torch).settings) {
    if (setting.key->name == key) return setting.value;
  }
  return std::string("not set");
}

TEST(Verdict, StructureFailsInsideTheImportSince2_10) {
  for (const char* string :
       {"max_split_size_mb=128", "expandable_segments", "backend:", ",", "none",
        "roundup_power2_divisions:[256:1", "expandable_segments:True,x"}) {
    EXPECT_EQ(fate(string, {2, 9}), "init") << string;
    EXPECT_EQ(fate(string, {2, 10}), "import") << string;
  }
}

TEST(Verdict, ABackendInFrontEndsTheScanOfTheImport) {
  EXPECT_EQ(fate("backend:native,expandable_segments", {2, 11}), "init");
  EXPECT_EQ(fate("expandable_segments:True,backend:native,x", {2, 11}), "init");
  EXPECT_EQ(fate("max_split_size_mb:128,backend", {2, 11}), "import");
}

TEST(Verdict, ValuesAndNamesFailAtTheFirstUse) {
  for (const char* string : {"max_split_size:128", "expandable_segments:true", "backend:cuda",
                             "garbage_collection_threshold:1", "max_split_size_mb:x"}) {
    EXPECT_EQ(fate(string, {2, 4}), "init") << string;
    EXPECT_EQ(fate(string, {2, 15}), "init") << string;
  }
}

TEST(Verdict, SeparatorsAreNotLookedAtSince2_10) {
  for (const char* string :
       {"expandable_segments,True", "max_split_size_mb:128:backend:native",
        "roundup_power2_divisions:[256:1]x", "roundup_power2_divisions:[256,1]"}) {
    EXPECT_EQ(fate(string, {2, 9}), "init") << string;
    EXPECT_EQ(fate(string, {2, 10}), "ok") << string;
  }
}

TEST(Verdict, WhitespaceByRelease) {
  EXPECT_EQ(fate("max_split_size_mb: 128", {1, 13}), "ok");
  EXPECT_TRUE(read("max_split_size_mb: 128", {1, 13}).settings.empty());
  EXPECT_EQ(fate("max_split_size_mb :128", {1, 13}), "init");
  EXPECT_EQ(fate("max_split_size_mb :1 28", {2, 0}), "ok");
  EXPECT_EQ(fate("max_split_size_mb:\t128\n", {2, 9}), "ok");
  EXPECT_EQ(fate("max_split_size_mb\t:128", {2, 9}), "init");
  EXPECT_EQ(fate("max_split_size_mb\t:128", {2, 10}), "ok");
  EXPECT_EQ(fate("max_split_size_mb:\xc2\xa0"
                 "128",
                 {2, 11}),
            "init");
}

TEST(Verdict, TwoParsersLookForTheBackendUpTo2_9) {
  EXPECT_EQ(fate("backend:cudaMallocAsync", {2, 4}), "ok");
  EXPECT_EQ(fate("backend: cudaMallocAsync", {2, 4}), "init");
  EXPECT_EQ(fate("backend: cudaMallocAsync", {2, 10}), "ok");
  EXPECT_EQ(fate("backend:native,backend:cudaMallocAsync", {2, 15}), "init");
  EXPECT_EQ(fate("backend:hipMallocAsync", {2, 8}), "init");
  EXPECT_EQ(fate("backend:hipMallocAsync", {2, 8}, Platform::rocm), "ok");
}

TEST(Verdict, LimitsByRelease) {
  EXPECT_EQ(fate("max_split_size_mb:20", {2, 9}), "init");
  EXPECT_EQ(fate("max_split_size_mb:20", {2, 10}), "ok");
  EXPECT_EQ(fate("max_split_size_mb:12,large_segment_size_mb:12", {2, 10}), "init");
  EXPECT_EQ(fate("max_split_size_mb:12,large_segment_size_mb:12", {2, 11}), "ok");
  EXPECT_EQ(fate("max_split_size_mb:20,large_segment_size_mb:32", {2, 11}), "init");
  EXPECT_EQ(fate("max_split_size_mb:2147483648", {2, 9}), "init");
  EXPECT_EQ(fate("max_split_size_mb:18446744073709551615", {2, 10}), "ok");
  EXPECT_EQ(fate("max_split_size_mb:18446744073709551616", {2, 10}), "init");
  EXPECT_EQ(fate("garbage_collection_threshold:0x1p-1", {2, 11}), "ok");
  EXPECT_EQ(fate("garbage_collection_threshold:nan", {2, 11}), "init");
  EXPECT_EQ(fate("pinned_num_register_threads:256", {2, 11}), "init");
}

TEST(Verdict, KeysComeAndGo) {
  EXPECT_EQ(fate("expandable_segments:True", {2, 0}), "init");
  EXPECT_EQ(fate("expandable_segments:True", {2, 1}), "ok");
  EXPECT_EQ(fate("roundup_bypass_threshold_mb:1000", {1, 12}), "init");
  EXPECT_EQ(fate("roundup_bypass_threshold_mb:1000", {1, 13}), "ok");
  EXPECT_EQ(fate("roundup_bypass_threshold_mb:1000", {2, 0}), "init");
  EXPECT_EQ(fate("anything at all", {1, 9}), "ok");
}

TEST(Verdict, EveryOccurrenceIsCheckedAndTheLastWins) {
  EXPECT_EQ(fate("max_split_size_mb:1,max_split_size_mb:128", {2, 11}), "init");
  EXPECT_EQ(value("max_split_size_mb:64,max_split_size_mb:128", {2, 11}, "max_split_size_mb"),
            SettingValue(int64_t{128}));
}

TEST(Verdict, ReservesAloneAreWarnedAboutAndIgnored) {
  EXPECT_EQ(fate("expandable_segments_reserve:512M", {2, 15}), "ok");
  EXPECT_TRUE(read("expandable_segments_reserve:512M", {2, 15}).settings.empty());
  EXPECT_EQ(value("expandable_segments_reserve:40G", {2, 15}, "expandable_segments_reserve"),
            SettingValue(std::string("40G")));
  EXPECT_EQ(fate("expandable_segments_reserve:[0.5]", {2, 15}), "init");
  EXPECT_EQ(fate("expandable_segments_reserve_by_class:0.5", {2, 15}), "init");
}

RoundingDivisions divisions(std::string_view list, Version torch) {
  const std::string string = "roundup_power2_divisions:" + std::string(list);
  const SettingValue found = value(string, torch, "roundup_power2_divisions");
  const auto* rounding = std::get_if<RoundingDivisions>(&found);
  return rounding == nullptr ? RoundingDivisions{} : *rounding;
}

TEST(Verdict, TheRestOfTheListStartsElsewhereSince2_10) {
  const auto up_to_2_9 = divisions("[256:1,512:2,>:4]", {2, 9}).divisions;
  const auto since_2_10 = divisions("[256:1,512:2,>:4]", {2, 10}).divisions;
  EXPECT_EQ(up_to_2_9[8], 1u);
  EXPECT_EQ(up_to_2_9[9], 4u);
  EXPECT_EQ(since_2_10[9], 2u);
  EXPECT_EQ(since_2_10[10], 4u);
  EXPECT_EQ(divisions("[>:8]", {2, 9}).divisions[0], 8u);
  EXPECT_EQ(divisions("[>:8]", {2, 10}).divisions[0], 0u);
}

TEST(Verdict, ListsOfDivisions) {
  EXPECT_EQ(fate("roundup_power2_divisions:[256:0]", {2, 3}), "init");
  EXPECT_EQ(fate("roundup_power2_divisions:[256:0]", {2, 4}), "ok");
  EXPECT_EQ(fate("roundup_power2_divisions:0", {2, 4}), "init");
  EXPECT_EQ(fate("roundup_power2_divisions:[]", {2, 0}), "ok");
  EXPECT_EQ(fate("roundup_power2_divisions:[256:1,]", {2, 11}), "ok");
  EXPECT_EQ(fate("roundup_power2_divisions:[,256:1]", {2, 11}), "init");
  EXPECT_EQ(fate("roundup_power2_divisions:[256:1]", {1, 13}), "init");
  EXPECT_EQ(divisions("[131072:2]", {2, 11}).divisions[15], 2u);
}

TEST(Verdict, AnEmptyStringSetsNothing) {
  for (const char* string : {"", " ", "  \t "}) {
    EXPECT_EQ(fate(string, {2, 11}), "ok");
    EXPECT_TRUE(read(string, {2, 11}).problems.empty());
  }
}

TEST(Verdict, NoEnvironmentHoldsANulByte) {
  EXPECT_FALSE(read(std::string_view("a:1\0b", 5), {2, 11}).accepted);
}

TEST(Verdict, LongHostileStringsEnd) {
  for (const char* unit : {",", "[", "]", ":", "1:", "max_split_size_mb:128 ", "a;", "\xff"}) {
    std::string string = "roundup_power2_divisions:[";
    while (string.size() < 300000) string += unit;
    for (const Version torch : {Version{1, 13}, Version{2, 4}, Version{2, 15}}) {
      const AllocatorReading reading = read(string, torch);
      EXPECT_LE(reading.problems.size(), 60u);
      EXPECT_LE(reading.pairs.size(), 1001u);
    }
  }
}

}  // namespace
}  // namespace vramlint::settings
