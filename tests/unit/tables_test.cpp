// SPDX-License-Identifier: MIT
//
// Every row of every table, for what the build can't see: that a row can be looked up and speaks of
// releases that exist.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "knowledge/knowledge.h"

namespace vramlint::knowledge {
namespace {

const Knowledge& tables() { return Knowledge::builtin(); }

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\n") == std::string_view::npos;
}

bool is_release(Version version) {
  const std::span<const TorchVersionRow> rows = tables().torch_versions();
  return std::any_of(rows.begin(), rows.end(),
                     [&](const TorchVersionRow& row) { return row.version == version; });
}

/// Left open, or a release that there is.
bool is_end(Version version) {
  return version == first_version || version == last_version || is_release(version);
}

bool has_evidence(std::string_view name) {
  const std::filesystem::path folder = VRAMLINT_SOURCE_DIR "/rules/evidence";
  return std::filesystem::exists(folder / (std::string(name) + ".py"));
}

template <typename Row>
std::string label_of(const Row& row) {
  if constexpr (requires {
                  row.module;
                  row.names;
                })
    return std::string(row.module);
  if constexpr (requires { row.name; }) return std::string(row.name);
  if constexpr (requires { row.names; }) {
    if (!row.names.empty()) return std::string(row.names.front());
  }
  if constexpr (requires { row.variable; }) return std::string(row.variable);
  return {};
}

template <typename Row>
void check_names(const Row& row) {
  if constexpr (requires { row.name; }) {
    EXPECT_FALSE(is_blank(row.name));
  }
  if constexpr (requires { row.module; }) {
    EXPECT_FALSE(is_blank(row.module));
  }
  if constexpr (requires { row.methods; }) {
    // Known by its calls, or by the methods of whatever object.
    EXPECT_NE(row.names.empty(), row.methods.empty());
    for (const std::string_view method : row.methods) EXPECT_FALSE(is_blank(method));
  } else if constexpr (requires { row.names; }) {
    EXPECT_FALSE(row.names.empty());
  }
  if constexpr (requires { row.names; }) {
    for (const std::string_view name : row.names) {
      EXPECT_FALSE(is_blank(name));
      EXPECT_EQ(name.find(' '), std::string_view::npos) << name;
    }
  }
}

template <typename Row>
void check_releases(const Row& row) {
  if constexpr (requires { row.torch.since; }) {
    EXPECT_LE(row.torch.since, row.torch.until);
    EXPECT_TRUE(is_end(row.torch.since)) << to_string(row.torch.since);
    EXPECT_TRUE(is_end(row.torch.until)) << to_string(row.torch.until);
  }
  if constexpr (requires { row.replaced_since; }) {
    EXPECT_TRUE(is_end(row.replaced_since));
  }
  if constexpr (requires { row.removed; }) {
    EXPECT_TRUE(is_end(row.since));
    EXPECT_TRUE(is_end(row.removed));
    EXPECT_LE(row.since, row.removed);
  }
  if constexpr (requires { row.read_to; }) {
    EXPECT_TRUE(is_release(row.read_to));
  }
}

template <typename Row>
void check_evidence(const Row& row) {
  if constexpr (requires { row.evidence; }) {
    if constexpr (std::is_same_v<decltype(row.evidence), std::string_view>) {
      EXPECT_TRUE(row.evidence.empty() || has_evidence(row.evidence)) << row.evidence;
    } else {
      for (const std::string_view name : row.evidence) EXPECT_TRUE(has_evidence(name)) << name;
    }
  }
}

template <typename Row>
void check(std::span<const Row> rows) {
  EXPECT_FALSE(rows.empty());
  for (const Row& row : rows) {
    SCOPED_TRACE(label_of(row));
    if constexpr (requires { row.source; }) {
      EXPECT_FALSE(is_blank(row.source));
    }
    check_names(row);
    check_releases(row);
    check_evidence(row);
  }
}

TEST(EveryRow, OfTheMoments) { check(tables().moments()); }
TEST(EveryRow, OfTheVariables) { check(tables().variables()); }
TEST(EveryRow, OfTheCalls) { check(tables().calls()); }
TEST(EveryRow, OfTheMethods) { check(tables().methods()); }
TEST(EveryRow, OfThePackages) { check(tables().packages()); }
TEST(EveryRow, OfTheReleases) { check(tables().torch_versions()); }
TEST(EveryRow, OfThePythonReleases) { check(tables().python_versions()); }
TEST(EveryRow, OfTheImages) { check(tables().base_images()); }
TEST(EveryRow, OfTheWheels) { check(tables().wheel_sources()); }
TEST(EveryRow, OfTheLaunchers) { check(tables().launchers()); }
TEST(EveryRow, OfWhatPickleRefuses) { check(tables().unpicklables()); }
TEST(EveryRow, OfForks) { check(tables().forks()); }
TEST(EveryRow, OfTheFailureContexts) { check(tables().failure_contexts()); }
TEST(EveryRow, OfTheUnrelatedPrograms) { check(tables().unrelated_programs()); }
TEST(EveryRow, OfTheRules) { check(tables().pages()); }
TEST(EveryRow, OfTheAllocatorKeys) { check(tables().allocator_keys()); }
TEST(EveryRow, OfTheAllocatorGrammars) { check(tables().allocator_grammars()); }
TEST(EveryRow, OfTheAllocatorInteractions) { check(tables().allocator_interactions()); }
TEST(EveryRow, OfTheStatistics) { check(tables().statistic_keys()); }
TEST(EveryRow, OfTheCollectives) { check(tables().collectives()); }
TEST(EveryRow, OfTheNames) { check(tables().names()); }
TEST(EveryRow, OfTheNameModules) { check(tables().name_modules()); }
TEST(EveryRow, OfTheReplacedNames) { check(tables().replaced_names()); }
TEST(EveryRow, OfTheArgumentFaults) { check(tables().argument_faults()); }
TEST(EveryRow, OfTheSettingConflicts) { check(tables().setting_conflicts()); }
TEST(EveryRow, OfTheVariableValues) { check(tables().variable_values()); }

TEST(EveryRow, OfTheAllocatorKeysHasBoundsOfReleases) {
  for (const AllocatorKeyRow& row : tables().allocator_keys()) {
    SCOPED_TRACE(row.name);
    for (const AllocatorBound& bound : row.bounds) check_releases(bound);
    for (const AllocatorPlatformLimit& limit : row.platforms) {
      check_releases(limit);
      EXPECT_FALSE(is_blank(limit.source));
    }
  }
}

TEST(Variables, AreReplacedByVariables) {
  for (const VariableRow& row : tables().variables()) {
    EXPECT_EQ(row.replaced_by.empty(), row.replaced_since == first_version) << row.name;
    if (row.replaced_by.empty()) continue;
    const VariableRow* other = tables().variable(row.replaced_by);
    ASSERT_NE(other, nullptr) << row.name;
    EXPECT_EQ(other->name, row.replaced_by);
    EXPECT_LE(other->torch.since, row.replaced_since) << row.name;
  }
}

TEST(Variables, HaveBoundsOnlyWhereTheyAreNumbers) {
  const VariableRow unbounded;
  for (const VariableRow& row : tables().variables()) {
    EXPECT_LE(row.number_min, row.number_max) << row.name;
    if (row.pattern == ValueForm::integer || row.pattern == ValueForm::fraction) continue;
    EXPECT_EQ(row.number_min, unbounded.number_min) << row.name;
    EXPECT_EQ(row.number_max, unbounded.number_max) << row.name;
  }
}

TEST(VariableValues, AreLegalForTheirVariableOrSayWhatIsWrong) {
  for (const VariableValueRow& row : tables().variable_values()) {
    const VariableRow* variable = tables().variable(row.variable);
    ASSERT_NE(variable, nullptr) << row.variable;
    EXPECT_EQ(variable->name, row.variable);
    const bool has_range = std::isfinite(row.above) && row.above < row.below;
    EXPECT_EQ(row.values.empty(), has_range) << row.variable;
  }
}

}  // namespace
}  // namespace vramlint::knowledge
