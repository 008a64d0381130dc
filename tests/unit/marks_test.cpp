// SPDX-License-Identifier: MIT
#include "validate/marks.h"

#include <gtest/gtest.h>

#include <string>

#include "knowledge/knowledge.h"

namespace vramlint::validate {
namespace {

Signs signs_of(std::string_view text) {
  return signs_in(text, knowledge::Knowledge::builtin().output_marks());
}

TEST(Marks, wildcards) {
  EXPECT_TRUE(begins_as("abc", "ab"));
  EXPECT_FALSE(begins_as("abc", "b"));
  EXPECT_TRUE(begins_as("x12:", "x#:"));
  EXPECT_FALSE(begins_as("x:", "x#:"));
  EXPECT_TRUE(begins_as("UserWarning: a", "@Warning: "));
  EXPECT_TRUE(begins_as("Warning: a", "@Warning: "));
  EXPECT_FALSE(begins_as("a Warning: a", "@Warning: "));
  EXPECT_TRUE(begins_as("a Warning: a", "*Warning: "));
  EXPECT_FALSE(begins_as("", "#"));
  EXPECT_TRUE(begins_as("a:b:1: c", "*:#: "));
  EXPECT_FALSE(begins_as("a:b: c", "*:#: "));
  EXPECT_TRUE(begins_as("", "*"));
}

TEST(Marks, a_line_as_long_as_the_file) {
  std::string text;
  for (int i = 0; i < 2'000'000; ++i) text += "Warning: x";
  EXPECT_EQ(signs_of(text).warnings, 0);
  EXPECT_EQ(signs_of(text + "CUDA out of memory.").out_of_memory, 1);
}

TEST(Marks, warnings_of_python) {
  EXPECT_EQ(signs_of("/app/a b.py:12: UserWarning: slow\n  x = y()\n").warnings, 1);
  EXPECT_EQ(signs_of("<string>:1: torch.jit.TracerWarning: x\n").warnings, 1);
  EXPECT_EQ(signs_of(" 50%|#  | 1/2\ra.py:3: FutureWarning: x").warnings, 1);
  EXPECT_EQ(signs_of("Warning: our own\nUserWarning: text\n").warnings, 0);
}

TEST(Marks, warnings_of_pytorch_count_once) {
  EXPECT_EQ(signs_of("[W1201 12:00:00.123456789 Module.cpp:9] Warning: x (function f)").warnings,
            1);
  EXPECT_EQ(signs_of("[rank0]:[W515 07:06:42.829 ProcessGroupNCCL.cpp:1117] WARNING: x").warnings,
            1);
  EXPECT_EQ(signs_of("[W CUDAFunctions.cpp:100] Warning: x (function f)").warnings, 1);
  EXPECT_EQ(signs_of("[World] begins\n[Warm up]\nsee [W1201 12:00:00.1 a:1]\n").warnings, 0);
}

TEST(Marks, tracebacks) {
  EXPECT_EQ(signs_of("Traceback (most recent call last):\n  File\n").tracebacks, 1);
  EXPECT_EQ(signs_of("[rank1]: Traceback (most recent call last):\n").tracebacks, 1);
  EXPECT_EQ(signs_of("  + Exception Group Traceback (most recent call last):\n").tracebacks, 1);
  EXPECT_EQ(signs_of("a Traceback for you\n").tracebacks, 0);
}

TEST(Marks, out_of_memory_on_the_device) {
  EXPECT_EQ(signs_of("torch.OutOfMemoryError: CUDA out of memory. Tried to").out_of_memory, 1);
  EXPECT_EQ(signs_of("RuntimeError: CUDA error: out of memory\n").out_of_memory, 1);
  EXPECT_EQ(signs_of("RuntimeError: CUDA driver error: out of memory\n").out_of_memory, 1);
  EXPECT_EQ(signs_of("the host is out of memory\n").out_of_memory, 0);
}

}  // namespace
}  // namespace vramlint::validate
