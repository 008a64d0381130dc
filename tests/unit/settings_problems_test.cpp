// SPDX-License-Identifier: MIT
//
// What is said about a string, where, and with which replacement. The rule pages show each rule in
// a program; here is what needs exact spans or several releases.
#include <gtest/gtest.h>

#include <algorithm>

#include "knowledge/knowledge.h"
#include "settings/releases.h"

namespace vramlint::settings {
namespace {

using knowledge::Platform;
using knowledge::ProblemSeverity;
using knowledge::Version;

knowledge::AllocatorTables tables() {
  const knowledge::Knowledge& all = knowledge::Knowledge::builtin();
  return {all.allocator_keys(), all.allocator_grammars(), all.allocator_interactions()};
}

AllocatorReading read(std::string_view string, Version torch = {2, 11},
                      Platform platform = Platform::linux) {
  return read_allocator_string(string, torch, tables(), platform);
}

/// `error unknown-allocator-key max_split_size -> max_split_size_mb`, one a line.
std::string said(std::string_view string, Version torch = {2, 11},
                 Platform platform = Platform::linux) {
  constexpr std::string_view severities[] = {"note", "warning", "error"};
  std::string out;
  for (const Problem& problem : read(string, torch, platform).problems) {
    if (!out.empty()) out += "\n";
    out += severities[static_cast<std::size_t>(problem.severity)];
    out += " " + std::string(problem.rule) + " " +
           std::string(string.substr(problem.span.begin, problem.span.size()));
    if (problem.replacement) out += (problem.safe ? " => " : " -> ") + *problem.replacement;
  }
  return out;
}

TEST(Problems, NamesTheSlipAndItsRepair) {
  EXPECT_EQ(said("max_split_size_mb=128"), "error allocator-separator = => :");
  EXPECT_EQ(said("max_split_size_mb:128;expandable_segments:False"),
            "error allocator-separator ; => ,");
  EXPECT_EQ(said("max_split_size_mb:128 expandable_segments:False"),
            "error allocator-separator   => ,");
  EXPECT_EQ(said("expandable_segments:true"), "error allocator-boolean true => True");
  EXPECT_EQ(said("max_split_size:50"),
            "error unknown-allocator-key max_split_size => max_split_size_mb");
  EXPECT_EQ(said("expandable_segmnets:True"),
            "error unknown-allocator-key expandable_segmnets -> expandable_segments");
  EXPECT_EQ(said("max_split_size_mb:512MB"), "warning allocator-unit-suffix 512MB => 512");
  EXPECT_EQ(said("max_split_size_mb:8GB"), "error allocator-unit-suffix 8GB -> 8192");
  EXPECT_EQ(said("backend:CudaMallocAsync"),
            "error unknown-allocator-backend CudaMallocAsync => cudaMallocAsync");
  EXPECT_EQ(said("\"max_split_size_mb:128\""),
            "error malformed-allocator-string \"max_split_size_mb:128\" => max_split_size_mb:128");
}

TEST(Problems, GoesOnAfterTheFirst) {
  EXPECT_EQ(said("expandable_segments:true,max_split_size_mb:10,foo=1"),
            "error allocator-boolean true => True\n"
            "error allocator-value-out-of-range 10\n"
            "error unknown-allocator-key foo\n"
            "error allocator-separator = => :");
}

TEST(Problems, AcceptedThoughReadOtherwise) {
  EXPECT_EQ(said("max_split_size_mb:-1"), "warning allocator-value-out-of-range -1");
  EXPECT_EQ(said("max_split_size_mb:64.5"), "warning allocator-number 64.5");
  EXPECT_EQ(said("max_split_size_mb:64,max_split_size_mb:128"),
            "warning duplicate-allocator-key max_split_size_mb:64 -> ");
  EXPECT_EQ(said("expandable_segments,True"), "note allocator-separator , => :");
  EXPECT_EQ(said("max_split_size_mb=128", {1, 13}), "warning allocator-separator = => :");
}

TEST(Problems, KeysThatDoNothing) {
  EXPECT_EQ(said("garbage_collection_threshold:0.8"),
            "warning garbage-collection-without-limit garbage_collection_threshold");
  EXPECT_EQ(said("garbage_collection_threshold:0.8,per_process_memory_fraction:0.9"), "");
  EXPECT_EQ(said("garbage_collection_threshold:0.8,per_process_memory_fraction:1"),
            "warning garbage-collection-without-limit garbage_collection_threshold");
  EXPECT_EQ(said("pinned_num_register_threads:8,pinned_use_cuda_host_register:True"), "");
  EXPECT_EQ(said("throw_on_cudamalloc_oom:False", {2, 12}), "");
  EXPECT_EQ(said("backend:cudaMallocAsync,expandable_segments:True"),
            "warning allocator-key-ignored expandable_segments");
  EXPECT_EQ(said("backend:cudaMallocAsync,pinned_use_background_threads:True"), "");
}

TEST(Problems, PlatformsByRelease) {
  const std::string_view on = "expandable_segments:True";
  EXPECT_EQ(said(on), "");
  for (const Platform platform : {Platform::windows, Platform::wsl, Platform::jetson}) {
    EXPECT_EQ(said(on, {2, 15}, platform), "warning allocator-platform expandable_segments");
  }
  EXPECT_EQ(said(on, {2, 11}, Platform::rocm), "warning allocator-platform expandable_segments");
  EXPECT_EQ(said(on, {2, 12}, Platform::rocm), "");
  EXPECT_EQ(said("expandable_segments:False", {2, 11}, Platform::windows), "");
}

TEST(Problems, AWayOutIsNamedWhereAnotherCallCounts) {
  const AllocatorReading reading = read("garbage_collection_threshold:0.8");
  ASSERT_EQ(reading.problems.size(), 1u);
  EXPECT_EQ(reading.problems[0].satisfied_by, "torch.cuda.set_per_process_memory_fraction");
}

TEST(Problems, MessagesAreOneLineAndQuoteSafely) {
  const AllocatorReading reading = read("a`\n\x01\xff:1");
  ASSERT_FALSE(reading.problems.empty());
  const std::string message = message_of(reading.problems[0], "2.11");
  EXPECT_EQ(message.find('\n'), std::string::npos);
  EXPECT_NE(message.find("\\x01\\xff"), std::string::npos) << message;
  EXPECT_TRUE(message.starts_with("PyTorch 2.11 ")) << message;
}

TEST(Problems, AnErrorIsFoundPastManyWarnings) {
  std::string string;
  for (int i = 0; i < 100; ++i) string += "nothing ";
  const AllocatorReading reading = read(string + "unknown:1", {1, 13});
  EXPECT_FALSE(reading.accepted);
  EXPECT_TRUE(std::ranges::any_of(reading.problems, [](const Problem& problem) {
    return problem.severity == ProblemSeverity::error;
  }));
}

TEST(Problems, PairsKeepTheirPlaces) {
  const std::string_view string = " max_split_size_mb : 128 ,foo:1";
  const std::vector<Pair> pairs = read(string).pairs;
  const auto text = [&](text::Span span) { return string.substr(span.begin, span.size()); };
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(text(pairs[0].key), "max_split_size_mb");
  EXPECT_EQ(text(pairs[0].separator), ":");
  EXPECT_EQ(text(pairs[0].value), "128");
  ASSERT_NE(pairs[0].row, nullptr);
  EXPECT_EQ(pairs[0].row->name, "max_split_size_mb");
  EXPECT_EQ(pairs[1].row, nullptr);
}

const Version releases[] = {{2, 0}, {2, 1}, {2, 9}, {2, 10}, {2, 11}};

TEST(Releases, AnErrorForAllStaysOne) {
  const ReleasesReading reading = read_for_releases("foo:1", releases, tables(), Platform::linux);
  ASSERT_EQ(reading.problems.size(), 1u);
  EXPECT_TRUE(reading.problems[0].all);
  EXPECT_EQ(reading.problems[0].problem.severity, ProblemSeverity::error);
  EXPECT_EQ(
      message_of(reading.problems[0].problem, reading.problems[0].releases),
      "PyTorch 2.0 to 2.11 refuses the string: `foo` is not a key of any release, leave it out");
}

TEST(Releases, AnErrorForSomeIsAWarningThatNamesThem) {
  const ReleasesReading reading =
      read_for_releases("expandable_segments:True", releases, tables(), Platform::linux);
  EXPECT_EQ(reading.refused_by, std::vector<Version>({{2, 0}}));
  ASSERT_EQ(reading.problems.size(), 1u);
  EXPECT_EQ(reading.problems[0].problem.severity, ProblemSeverity::warning);
  EXPECT_EQ(reading.problems[0].releases, "2.0");
}

TEST(Releases, TheEarliestFailureCounts) {
  const ReleasesReading reading =
      read_for_releases("max_split_size_mb=128", releases, tables(), Platform::linux);
  EXPECT_TRUE(reading.accepted_by.empty());
  EXPECT_EQ(reading.fails_at, FailsAt::import_torch);
}

TEST(Releases, NeighboursAreDrawnTogether) {
  EXPECT_EQ(releases_text(std::vector<Version>{{2, 0}, {2, 9}, {2, 10}, {2, 11}}, releases),
            "2.0, 2.9 to 2.11");
  EXPECT_EQ(releases_text(std::vector<Version>{{2, 0}, {2, 1}}, releases), "2.0 and 2.1");
}

}  // namespace
}  // namespace vramlint::settings
