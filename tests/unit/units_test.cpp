// SPDX-License-Identifier: MIT
#include "validate/units.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "support/counted.h"
#include "validate/process.h"

namespace vramlint::validate {
namespace {

constexpr double gibibyte = 1024.0 * 1024 * 1024;

TEST(Units, bytes) {
  EXPECT_EQ(bytes_text(12.3 * gibibyte), "12.30 GiB");
  EXPECT_EQ(bytes_text(9 * gibibyte), "9216 MiB");
  EXPECT_EQ(bytes_text(4096), "4 KiB");
}

TEST(Units, seconds) {
  EXPECT_EQ(seconds_text(0.062), "62.0 ms");
  EXPECT_EQ(seconds_text(4.31), "4.31 s");
}

TEST(Units, endings) {
  const auto text = [](Ended::How how, int status, int error = 0) {
    Ended ended;
    ended.how = how;
    ended.status = status;
    ended.error = error;
    return ending_text(ended);
  };
  EXPECT_EQ(text(Ended::How::by_itself, 3), "exit status 3");
  EXPECT_EQ(text(Ended::How::by_signal, 9), "killed by signal 9");
  EXPECT_EQ(text(Ended::How::timed_out, 15), "stopped at the time limit");
  EXPECT_EQ(text(Ended::How::not_started, 0, ENOENT), "not started: No such file or directory");
  EXPECT_EQ(text(Ended::How::not_started, 0), "not started");
}

TEST(Units, one_and_many) {
  EXPECT_EQ(counted(1, "process", "processes"), "1 process");
  EXPECT_EQ(counted(2, "process", "processes"), "2 processes");
  EXPECT_EQ(counted(0, "program"), "0 programs");
}

#ifdef __linux__
TEST(Process, that_is_not_there_says_so) {
  Command command;
  command.words = {"/no/such/program"};
  command.output = command.errors = "/dev/null";
  const Ended ended = run_supervised(
      command, [] {}, [] { return false; });
  EXPECT_EQ(ended.how, Ended::How::not_started);
  EXPECT_EQ(ended.error, ENOENT);
  EXPECT_EQ(ended.seconds(), 0);
}
#endif

}  // namespace
}  // namespace vramlint::validate
