// SPDX-License-Identifier: MIT
#ifdef __linux__

#include "cuda/recorder/trace_writer.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "validate/scratch.h"
#include "validate/trace.h"

namespace vramlint::recorder {
namespace {

namespace fs = std::filesystem;

class TraceWriterTest : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv(cuda::trace_folder_variable, scratch_.value().folder().c_str(), 1);
    ::unsetenv(cuda::trace_limit_variable);
    writer_ = std::make_unique<TraceWriter>();
  }
  void TearDown() override { ::unsetenv(cuda::trace_folder_variable); }

  void add(uint64_t address) {
    cuda::TraceRecord record{};
    record.time_ns = now();
    record.address = address;
    record.bytes_and_result = 512;
    record.call = static_cast<uint8_t>(cuda::Call::mem_alloc);
    writer_->add(record);
  }

  std::vector<validate::Trace> traces() const {
    std::vector<validate::Trace> all;
    for (const fs::directory_entry& entry : fs::directory_iterator(scratch_.value().folder())) {
      all.push_back(validate::read_trace("t", validate::read_bytes(entry.path())).value());
    }
    return all;
  }

  Result<validate::Scratch> scratch_ = validate::Scratch::make("");
  std::unique_ptr<TraceWriter> writer_;
};

TEST_F(TraceWriterTest, loses_nothing_of_many_threads) {
  constexpr uint64_t each = 50'000;
  ASSERT_TRUE(writer_->open());
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this, thread] {
      for (uint64_t i = 0; i < each; ++i) add(thread * each + i + 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const validate::Trace trace = traces().front();
  EXPECT_EQ(trace.records.size(), 4 * each);
  EXPECT_EQ(trace.lost, 0);
  EXPECT_EQ(validate::driver_use(trace).peak_bytes, 4 * each * 512);
}

TEST_F(TraceWriterTest, counts_what_it_has_no_room_for) {
  ::setenv(cuda::trace_limit_variable, "1", 1);
  ASSERT_TRUE(writer_->open());
  for (uint64_t i = 0; i < 40'000; ++i) add(i + 1);
  const validate::Trace trace = traces().front();
  EXPECT_EQ(trace.records.size() + trace.lost, 40'000);
  EXPECT_EQ(trace.records.size(), 32'768);
}

TEST_F(TraceWriterTest, a_forked_child_writes_a_file_of_its_own_and_survives_a_kill) {
  ASSERT_TRUE(writer_->open());
  add(1);
  const pid_t child = ::fork();
  if (child == 0) {
    writer_->forget_parent();
    if (writer_->open()) add(2);
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  add(3);
  const std::vector<validate::Trace> all = traces();
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[0].records.size() + all[1].records.size(), 3);
}

TEST_F(TraceWriterTest, without_a_folder_nothing_is_recorded) {
  ::unsetenv(cuda::trace_folder_variable);
  EXPECT_FALSE(writer_->open());
  add(1);
  EXPECT_TRUE(traces().empty());
}

}  // namespace
}  // namespace vramlint::recorder

#endif
