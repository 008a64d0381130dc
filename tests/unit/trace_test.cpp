// SPDX-License-Identifier: MIT
#include "validate/trace.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "validate/run.h"

namespace vramlint::validate {
namespace {

using cuda::Call;
using cuda::TraceHeader;
using cuda::TraceRecord;

constexpr uint64_t mebibyte = uint64_t{1} << 20;

TraceRecord record(uint64_t time, Call call, uint64_t address, uint64_t bytes,
                   uint32_t result = 0) {
  TraceRecord made{};
  made.time_ns = time;
  made.call = static_cast<uint8_t>(call);
  made.address = address;
  made.bytes_and_result = bytes | static_cast<uint64_t>(result) << TraceRecord::bytes_bits;
  return made;
}

std::string file_of(const std::vector<TraceRecord>& records) {
  TraceHeader header{};
  header.magic = cuda::trace_magic;
  header.version = cuda::trace_version;
  header.record_bytes = sizeof(TraceRecord);
  header.process = 7;
  header.state = static_cast<uint32_t>(cuda::RecorderState::recording);
  header.count = records.size();
  std::string bytes(cuda::trace_header_bytes, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes.append(reinterpret_cast<const char*>(records.data()), records.size() * sizeof(TraceRecord));
  return bytes;
}

Trace trace_of(const std::vector<TraceRecord>& records) {
  return read_trace("t", file_of(records)).value();
}

TEST(Trace, counts_what_is_taken_and_given_back) {
  const DriverUse use = driver_use(trace_of(
      {record(1, Call::mem_alloc, 16, 2 * mebibyte), record(2, Call::mem_create, 3, mebibyte),
       record(3, Call::mem_free, 16, 0), record(4, Call::mem_alloc, 16, mebibyte),
       record(5, Call::mem_alloc, 0, mebibyte, 2)}));
  EXPECT_EQ(use.allocations, 3);
  EXPECT_EQ(use.frees, 1);
  EXPECT_EQ(use.failed, 1);
  EXPECT_EQ(use.peak_bytes, 3 * mebibyte);
  EXPECT_EQ(use.in_use.back().bytes, 2 * mebibyte);
  EXPECT_EQ(use.first_ns, 1);
}

TEST(Trace, threads_may_finish_in_another_order) {
  const DriverUse use = driver_use(
      trace_of({record(9, Call::mem_free, 16, 0), record(2, Call::mem_alloc, 16, mebibyte)}));
  EXPECT_EQ(use.in_use.back().bytes, 0);
}

TEST(Trace, nothing_after_the_end_counts) {
  const Trace trace = trace_of(
      {record(2, Call::mem_alloc, 16, mebibyte), record(9, Call::mem_alloc, 32, mebibyte)});
  EXPECT_EQ(driver_use(trace, 5).allocations, 1);
}

TEST(Trace, a_process_that_was_killed_leaves_unfinished_records) {
  std::string bytes = file_of({record(1, Call::mem_alloc, 16, 1), record(2, Call::none, 0, 0)});
  const Result<Trace> trace = read_trace("t", bytes);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace.value().records.size(), 1);
  EXPECT_EQ(trace.value().unfinished, 1);
  bytes.resize(bytes.size() - 40);
  EXPECT_EQ(read_trace("t", bytes).value().records.size(), 0);
}

TEST(Trace, what_is_no_trace_is_refused) {
  EXPECT_FALSE(read_trace("t", ""));
  EXPECT_FALSE(read_trace("t", std::string(5000, 'x')));
  std::string newer = file_of({});
  newer[8] = 9;
  EXPECT_NE(read_trace("t", newer).error().message.find("version 9"), std::string::npos);
}

TEST(Trace, processes_are_added_up_moment_by_moment) {
  const DriverUse first = driver_use(
      trace_of({record(1, Call::mem_alloc, 16, mebibyte), record(6, Call::mem_free, 16, 0)}));
  const DriverUse second = driver_use(trace_of({record(3, Call::mem_alloc, 16, mebibyte)}));
  const DriverUse both = combined({first, second});
  EXPECT_EQ(both.allocations, 2);
  EXPECT_EQ(both.peak_bytes, 2 * mebibyte);
  EXPECT_EQ(both.in_use.back().bytes, 0);
}

TEST(TorchReport, is_read_as_far_as_it_goes) {
  EXPECT_FALSE(read_report("r", "[1]"));
  EXPECT_FALSE(read_report("r", "{"));
  EXPECT_FALSE(read_report("r", R"({"process": 3, "torch": null})").value().has_torch);
  const Result<TorchReport> report = read_report("r", R"({"process": 3, "torch": {
      "version": "2.11.0", "initialized": true, "memory": [{"allocated_bytes.all.peak": 5}, 4],
      "allocator": {"backend": "native", "string": "a:1"}, "in_force": {"A": true, "B": null}}})");
  ASSERT_TRUE(report);
  EXPECT_EQ(report.value().allocated_peak, 5);
  EXPECT_EQ(report.value().string, "a:1");
  EXPECT_EQ(report.value().in_force.size(), 1);
  EXPECT_FALSE(report.value().driver_allocations);
}

}  // namespace
}  // namespace vramlint::validate
