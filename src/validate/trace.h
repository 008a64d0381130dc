// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/trace_format.h"
#include "support/result.h"

namespace vramlint::validate {

/// Memory in use at a moment of `CLOCK_MONOTONIC`.
struct Sample {
  uint64_t time_ns = 0;
  uint64_t bytes = 0;
};

/// What the recorder wrote in one process.
struct Trace {
  uint32_t process = 0;
  cuda::RecorderState state = cuda::RecorderState::starting;
  uint32_t cupti_status = 0;
  uint64_t lost = 0;                       ///< calls for which the file had no room
  uint64_t unfinished = 0;                 ///< records that the process had begun when it ended
  std::string program;                     ///< its command, as far as there was room
  std::vector<cuda::TraceRecord> records;  ///< by time
};

/// Reads a trace. A file that was cut off or never finished is read as far as it goes; one that is
/// no trace is an error.
Result<Trace> read_trace(const std::string& path, std::string_view bytes);

/// What a process asked of the driver.
struct DriverUse {
  uint64_t allocations = 0;  ///< of device memory: cuMemAlloc, cuMemCreate …, that succeeded
  uint64_t frees = 0;
  uint64_t pooled = 0;                    ///< from memory pools
  uint64_t failed = 0;                    ///< allocations that the driver refused
  uint64_t host_allocations = 0;          ///< page-locked
  uint64_t shared = 0;                    ///< handles given to other processes, or taken
  uint64_t taken_bytes = 0;               ///< all allocations together
  uint64_t peak_bytes = 0;                ///< in use at once, of what the driver was asked for
  uint64_t waited_ns = 0;                 ///< inside these calls
  uint64_t first_ns = 0;                  ///< the first allocation; 0 when there was none
  uint64_t last_ns = 0;                   ///< the last call
  std::map<std::string, uint64_t> calls;  ///< how often each function succeeded, by name
  std::vector<Sample> in_use;             ///< after each change
};

/// Sums up the records until `end_ns`.
DriverUse driver_use(const Trace& trace, uint64_t end_ns = std::numeric_limits<uint64_t>::max());

/// What a recorder's state means for a reader of the report; empty when all is well.
std::string complaint_of(const Trace& trace);

}  // namespace vramlint::validate
