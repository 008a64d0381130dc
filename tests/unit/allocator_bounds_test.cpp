// SPDX-License-Identifier: MIT
//
// Both sides of every boundary that a row of the allocator tables draws: the first and the last
// release of a key, and the least and the most that it takes in each release.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "knowledge/knowledge.h"
#include "settings/allocator_string.h"

namespace vramlint::settings {
namespace {

using knowledge::AllocatorBound;
using knowledge::AllocatorKeyRow;
using knowledge::AllocatorValue;
using knowledge::Version;

const knowledge::Knowledge& tables() { return knowledge::Knowledge::builtin(); }

bool accepts(const std::string& text, Version torch) {
  return read_allocator_string(text, torch, tables().allocator_tables()).accepted;
}

/// A value that the key takes in that release.
std::string legal_value(const AllocatorKeyRow& row, Version torch) {
  switch (row.type) {
    case AllocatorValue::boolean: return "True";
    case AllocatorValue::backend: return std::string(row.words.front());
    case AllocatorValue::rounding: return "4";
    case AllocatorValue::fraction: return "0.5";
    case AllocatorValue::reserve: return "0.5";
    case AllocatorValue::reserve_list: return "";
    case AllocatorValue::size_mb:
    case AllocatorValue::count: break;
  }
  for (const AllocatorBound& bound : row.bounds) {
    if (!bound.torch.contains(torch) || !std::isfinite(bound.minimum)) continue;
    return fmt::format("{}", static_cast<int64_t>(bound.minimum) + (bound.above_minimum ? 1 : 0));
  }
  return "64";
}

/// Releases that read the variable at all.
bool reads_strings(Version torch) {
  return grammar_of(torch, tables().allocator_tables()).tokenizer !=
         knowledge::AllocatorTokenizer::unread;
}

TEST(AllocatorKeys, AreRefusedOutsideTheirReleasesAndTakenInside) {
  for (const AllocatorKeyRow& row : tables().allocator_keys()) {
    for (const knowledge::TorchVersionRow& release : tables().torch_versions()) {
      const Version torch = release.version;
      const std::string value = legal_value(row, torch);
      if (!reads_strings(torch) || value.empty()) continue;
      const std::string text = fmt::format("{}:{}", row.name, value);
      EXPECT_EQ(accepts(text, torch), row.torch.contains(torch))
          << text << " in " << to_string(torch);
    }
  }
}

/// The text of a number near a bound; whole numbers step by one.
std::string near(const AllocatorKeyRow& row, double bound, int step) {
  if (row.type == AllocatorValue::fraction) return fmt::format("{:.6f}", bound + step * 1e-3);
  return fmt::format("{}", static_cast<int64_t>(bound) + step);
}

TEST(AllocatorKeys, AreJudgedRightOnBothSidesOfEveryBound) {
  int judged = 0;
  for (const AllocatorKeyRow& row : tables().allocator_keys()) {
    if (row.type == AllocatorValue::rounding || row.type == AllocatorValue::reserve_list) continue;
    for (const AllocatorBound& bound : row.bounds) {
      for (const knowledge::TorchVersionRow& release : tables().torch_versions()) {
        const Version torch = release.version;
        const bool holds = bound.torch.contains(torch) && row.torch.contains(torch);
        if (!holds || !reads_strings(torch) || bound.power_of_two) continue;
        const auto check = [&](double at, int step, bool expected) {
          const std::string text = fmt::format("{}:{}", row.name, near(row, at, step));
          EXPECT_EQ(accepts(text, torch), expected) << text << " in " << to_string(torch);
          ++judged;
        };
        if (std::isfinite(bound.minimum) && bound.minimum >= 1) {
          check(bound.minimum, -1, false);
          check(bound.minimum, 0, !bound.above_minimum);
          check(bound.minimum, 1, true);
        }
        if (std::isfinite(bound.maximum) && bound.maximum < 1e9) {
          check(bound.maximum, 1, false);
          check(bound.maximum, 0, !bound.below_maximum);
        }
      }
    }
  }
  EXPECT_GT(judged, 50);
}

}  // namespace
}  // namespace vramlint::settings
