// SPDX-License-Identifier: MIT
#include "rules/written_text.h"

#include <gtest/gtest.h>

namespace vramlint::rules {
namespace {

TEST(WrittenText, AWordIsNoPartOfALongerOne) {
  EXPECT_TRUE(has_word("args=(t,)", "t"));
  EXPECT_FALSE(has_word("args=(total,)", "t"));
  EXPECT_FALSE(has_word("_t + t_", "t"));
  EXPECT_FALSE(has_word("t", ""));
}

TEST(WrittenText, AnAssignmentIsNoComparison) {
  EXPECT_TRUE(assigns("    batch = batch.clone()", "batch"));
  EXPECT_TRUE(assigns("batch=1", "batch"));
  EXPECT_FALSE(assigns("if batch == 1:", "batch"));
  EXPECT_FALSE(assigns("self.batch = 1", "batch"));
  EXPECT_FALSE(assigns("seen.append(batch)", "batch"));
}

TEST(WrittenText, TheRootIsTheNameAtTheBeginning) {
  EXPECT_EQ(root_of("host[0].mean()"), "host");
  EXPECT_EQ(root_of("(a + b)"), "");
  EXPECT_TRUE(is_identifier("host_1"));
  EXPECT_FALSE(is_identifier("1host"));
  EXPECT_FALSE(is_identifier("host.x"));
}

}  // namespace
}  // namespace vramlint::rules
