// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validate/marks.h"
#include "validate/process.h"
#include "validate/trace.h"

namespace vramlint::validate {

/// What the PyTorch of one process told when it ended.
struct TorchReport {
  uint32_t process = 0;
  uint64_t ended_ns = 0;
  bool has_torch = false;
  bool initialized = false;  ///< CUDA was up
  std::string torch;         ///< its version
  std::string backend;       ///< of the allocator
  std::string string;        ///< the allocator string that PyTorch has taken
  uint64_t allocated_peak = 0;
  uint64_t reserved_peak = 0;
  uint64_t retries = 0;  ///< allocations that succeeded only after the cache was emptied
  uint64_t out_of_memory = 0;
  std::optional<uint64_t> driver_allocations;  ///< PyTorch's own count
  std::map<std::string, bool> in_force;        ///< variables that are set, by whether they hold
};

/// Reads a report of `python/sitecustomize.py`.
Result<TorchReport> read_report(const std::string& path, const std::string& text);

/// One run of one variant, and all that was seen of it.
struct Run {
  std::size_t variant = 0;
  Ended ended;
  std::vector<Sample> device;  ///< memory in use on all devices, less what was before
  uint64_t device_peak = 0;
  bool has_device = false;   ///< whether the device's memory could be watched
  bool lacks_texts = false;  ///< its Python did not take the changed texts
  bool has_trace = false;    ///< whether driver calls were recorded
  DriverUse driver;          ///< of all processes together
  uint64_t trace_bytes = 0;
  std::vector<TorchReport> reports;
  std::vector<std::string> complaints;  ///< why something could not be measured
  std::string last_output;              ///< the ends of what it wrote
  std::string last_errors;
  Signs signs;  ///< of trouble, on standard error

  /// From the first allocation on the device to the end of the program, where that was seen; else
  /// all of its time.
  double busy_seconds() const;
  uint64_t allocated_peak() const;  ///< by PyTorch's own count, all processes together
  bool was_out_of_memory() const;
};

/// One for all: counts are added, and the memory in use is that of all processes at once.
DriverUse combined(const std::vector<DriverUse>& uses);

}  // namespace vramlint::validate
