// SPDX-License-Identifier: MIT
//
// Versions, ranges of them, and the way from names to rows. What the rows say is shown by the rule
// pages; here is what every table has to hold to.
#include "knowledge/knowledge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "knowledge/target.h"
#include "knowledge/version.h"

namespace vramlint::knowledge {
namespace {

const Knowledge& tables() { return Knowledge::builtin(); }

/// The releases that a specifier admits as words, or what is wrong with it.
std::string releases(const std::string& specifier) {
  const Result<std::vector<Version>> versions = releases_named(specifier, tables());
  if (!versions) return versions.error().message;
  std::string out;
  for (const Version version : versions.value()) {
    out += (out.empty() ? "" : " ") + to_string(version);
  }
  return out;
}

TEST(Version, ReadsWhatWheelsAndTagsSay) {
  for (const char* text : {"2.11", "2.11.0", "v2.11", "2.11.0+cu130", "2.11.0a0+gitabc123",
                           "2.11.0rc2", "2.11.0.post1", "2.11.0.dev20260101+cpu"}) {
    EXPECT_EQ(parse_version(text), (Version{2, 11})) << text;
  }
}

TEST(Version, RefusesOtherText) {
  for (const char* text : {"", "2", "torch", "2.", ".2", "2.x", "2.11.", "2.11 ", " 2.11", "2,11",
                           "-2.1", "2.-1", "2.11+", "2.11+cu 1", "99999.1", "==2.11"}) {
    EXPECT_EQ(parse_version(text), std::nullopt) << text;
  }
}

TEST(Version, ComparesNumbersNotText) {
  EXPECT_LT(*parse_version("2.9"), *parse_version("2.10"));
  EXPECT_TRUE((VersionRange{{2, 4}, {2, 9}}).contains({2, 9}));
  EXPECT_FALSE((VersionRange{{2, 4}, {2, 9}}).contains({2, 10}));
  EXPECT_TRUE(VersionRange{}.contains({2, 11}));
}

TEST(Releases, OneVersion) {
  EXPECT_EQ(releases("2.11"), "2.11");
  EXPECT_EQ(releases("2.11.0"), "2.11");
  EXPECT_EQ(releases("v2.11.0+cu130"), "2.11");
  EXPECT_EQ(releases("==2.8.0"), "2.8");
  EXPECT_EQ(releases("===2.8.0"), "2.8");
  EXPECT_EQ(releases("2"), "2.0");
  // No row knows it, and it may well be out there.
  EXPECT_EQ(releases("97.3"), "97.3");
}

TEST(Releases, Ranges) {
  EXPECT_EQ(releases(">=2.4,<2.8"), "2.4 2.5 2.6 2.7");
  EXPECT_EQ(releases(" >= 2.4 , < 2.8 "), "2.4 2.5 2.6 2.7");
  EXPECT_EQ(releases(">=2.4 <2.6"), "2.4 2.5");
  EXPECT_EQ(releases("<=1.2"), "1.0 1.1 1.2");
  EXPECT_EQ(releases("==2.8.*"), "2.8");
  EXPECT_EQ(releases("==1.*,>=1.12"), "1.12 1.13");
  EXPECT_EQ(releases("~=1.12"), "1.12 1.13");
  EXPECT_EQ(releases("~=2.4.1"), "2.4");
  EXPECT_EQ(releases(">=2.4,!=2.5.*,<2.7"), "2.4 2.6");
}

TEST(Releases, APatchReleaseKeepsItsLine) {
  EXPECT_EQ(releases(">=2.4,<2.6,!=2.5.0"), "2.4 2.5");
  EXPECT_EQ(releases("<2.4.1,>=2.3"), "2.3 2.4");
  EXPECT_EQ(releases(">2.4,<2.6"), "2.4 2.5");
  EXPECT_EQ(releases(">=2.5.0rc1,<2.6"), "2.5");
}

TEST(Releases, RefusesWhatAdmitsNothing) {
  EXPECT_EQ(releases(">=97"), "`>=97` admits no release of PyTorch");
  EXPECT_EQ(releases(">2.6,<2.4"), "`>2.6,<2.4` admits no release of PyTorch");
}

TEST(Releases, RefusesWhatIsNoSpecifier) {
  for (const char* text : {"", " ", "any", "~=2", "~=2.4.*", ">=2.*", "^2.4", "2.4|2.5",
                           ">=", "==2.*.1", "=2.4", "2.8.*x", "*", "1!2.0", "99999999.1"}) {
    EXPECT_EQ(releases(text),
              "`" + std::string(text) + "` is not a version or a range of versions");
  }
}

TEST(Target, UnstatedIsTheNewestRelease) {
  const Target target = default_target(tables());
  EXPECT_EQ(target.torch, std::vector{tables().newest_torch()});
  EXPECT_EQ(target.torch_text, "any");
  EXPECT_FALSE(target.torch_stated);
  EXPECT_TRUE(target.python.empty());
}

TEST(Target, PlatformsHaveNames) {
  for (const char* word : {"linux", "windows", "macos", "wsl", "jetson", "rocm"}) {
    const std::optional<Platform> platform = parse_platform(word);
    ASSERT_TRUE(platform) << word;
    EXPECT_EQ(name_of(*platform), word);
  }
  EXPECT_EQ(parse_platform("Linux"), std::nullopt);
  EXPECT_EQ(parse_platform(""), std::nullopt);
}

TEST(Tables, ReleasesAscend) {
  const auto rows = tables().torch_versions();
  ASSERT_FALSE(rows.empty());
  const auto later = [](const TorchVersionRow& left, const TorchVersionRow& right) {
    return left.version >= right.version;
  };
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end(), later), rows.end());
  EXPECT_EQ(rows.front().version, (Version{1, 0}));
}

TEST(Tables, EveryMomentHasOneRow) {
  EXPECT_EQ(tables().moments().size(), moment_count);
  for (std::size_t i = 0; i < moment_count; ++i) {
    const auto moment = static_cast<Moment>(i);
    EXPECT_EQ(tables().moment(moment).moment, moment);
    EXPECT_FALSE(tables().moment(moment).phrase.empty());
    EXPECT_TRUE(tables().with_implied(moment).contains(moment));
  }
}

TEST(Tables, ImplicationsFollowEachOther) {
  for (const MomentRow& row : tables().moments()) {
    for (const Moment first : row.implies) {
      for (const Moment second : tables().moment(first).implies) {
        EXPECT_TRUE(tables().with_implied(row.moment).contains(second));
      }
    }
  }
  const MomentSet allocation = tables().with_implied(Moment::device_allocation);
  EXPECT_TRUE(allocation.contains(Moment::driver));
  EXPECT_TRUE(allocation.contains(Moment::cuda_init));
  EXPECT_FALSE(tables().with_implied(Moment::driver).contains(Moment::cuda_init));
}

TEST(Lookup, VariableByNameThenByLongestPattern) {
  const VariableRow* row = tables().variable("PYTORCH_CUDA_ALLOC_CONF");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->name, "PYTORCH_CUDA_ALLOC_CONF");
  EXPECT_TRUE(row->allocator_string);
  EXPECT_EQ(tables().variable("NOBODY_HAS_HEARD_OF_THIS"), nullptr);
  EXPECT_EQ(tables().variable(""), nullptr);
  for (const VariableRow& each : tables().variables()) {
    std::string name(each.name);
    if (name.ends_with('*')) name.replace(name.size() - 1, 1, "ANYTHING");
    EXPECT_EQ(tables().variable(name), &each) << name;
  }
}

TEST(Lookup, EveryCallIsFoundByEachOfItsNames) {
  for (const CallRow& row : tables().calls()) {
    for (const std::string_view name : row.names) {
      if (name.ends_with('*')) continue;
      const std::vector<const CallRow*> found = tables().calls_named(name);
      EXPECT_NE(std::find(found.begin(), found.end(), &row), found.end()) << name;
    }
  }
  EXPECT_TRUE(tables().calls_named("torch.nobody_wrote_this").empty());
}

TEST(Lookup, MethodByName) {
  for (const MethodRow& row : tables().methods()) {
    for (const std::string_view name : row.names) EXPECT_EQ(tables().method(name), &row) << name;
  }
  EXPECT_EQ(tables().method("nobody_wrote_this"), nullptr);
}

TEST(Lookup, PackageOrItsNearestParent) {
  const PackageRow* torch = tables().package("torch");
  ASSERT_NE(torch, nullptr);
  EXPECT_EQ(tables().package("torch.nobody.wrote.this"), torch);
  EXPECT_EQ(tables().package("torchic"), nullptr);
  EXPECT_EQ(tables().package(""), nullptr);
}

TEST(Lookup, PageByNameAndByCode) {
  for (const RulePage& page : tables().pages()) {
    EXPECT_EQ(tables().page(page.name), &page);
    EXPECT_EQ(tables().page(page.code), &page);
    EXPECT_NE(page.text.find(page.code), std::string_view::npos);
  }
  EXPECT_EQ(tables().page("nobody-wrote-this"), nullptr);
}

}  // namespace
}  // namespace vramlint::knowledge
