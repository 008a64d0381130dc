// SPDX-License-Identifier: MIT
#include "replay/graphs.h"

#include <gtest/gtest.h>

#include <array>

namespace vramlint::replay {
namespace {

TEST(Graphs, ASumReachesTheRoundsOfItsParts) {
  Graphs graphs;
  const GraphId first = graphs.begun(3);
  const std::array parts{first, graphs.begun(7)};
  const GraphId sum = graphs.computed(parts, 7);
  EXPECT_TRUE(graphs.is_certain(sum));
  EXPECT_TRUE(graphs.reaches(sum, 3, 4));
  EXPECT_TRUE(graphs.reaches(sum, 7, 8));
  EXPECT_FALSE(graphs.reaches(sum, 4, 7));
  EXPECT_FALSE(graphs.reaches(first, 7, 8));
}

TEST(Graphs, NothingIsComputedFromNothing) {
  Graphs graphs;
  EXPECT_EQ(graphs.computed({}, 1), 0);
}

TEST(Graphs, WhatIsSupposedIsProvenWithAllThatComesFromThere) {
  Graphs graphs;
  const GraphId output = graphs.supposed(11, 0, {}, 1);
  const GraphId loss = graphs.supposed(22, output, std::array{output}, 1);
  const GraphId later = graphs.supposed(22, 0, {}, 2);
  const GraphId other = graphs.supposed(33, 0, {}, 1);
  EXPECT_FALSE(graphs.is_certain(loss));
  graphs.prove(loss);
  EXPECT_TRUE(graphs.is_certain(loss));
  EXPECT_TRUE(graphs.is_certain(output));
  EXPECT_TRUE(graphs.is_certain(later));
  EXPECT_FALSE(graphs.is_certain(other));
}

TEST(Graphs, OneOfTwoIsNotProvenByTheirSum) {
  Graphs graphs;
  const std::array parts{graphs.supposed(11, 0, {}, 1), graphs.supposed(22, 0, {}, 1)};
  const GraphId sum = graphs.computed(parts, 1);
  graphs.prove(sum);
  EXPECT_TRUE(graphs.is_certain(sum));
  EXPECT_FALSE(graphs.is_certain(parts[0]));
  EXPECT_FALSE(graphs.is_certain(parts[1]));
}

TEST(Graphs, APartStemsFromItsWholeAndWhatIsMadeOfItDoesNot) {
  Graphs graphs;
  const GraphId output = graphs.supposed(11, 0, {}, 1);
  const GraphId part = graphs.of_part(22, output, 1);
  const GraphId scaled = graphs.computed(std::array{part}, 1);
  const GraphId scored = graphs.supposed(33, part, std::array{part}, 1);
  EXPECT_TRUE(graphs.stems_from(output, output));
  EXPECT_TRUE(graphs.stems_from(part, output));
  EXPECT_TRUE(graphs.stems_from(scaled, output));
  EXPECT_FALSE(graphs.stems_from(scored, output));
  EXPECT_FALSE(graphs.stems_from(0, output));
}

}  // namespace
}  // namespace vramlint::replay
