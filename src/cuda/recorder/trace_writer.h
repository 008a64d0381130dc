// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "cuda/trace_format.h"

namespace vramlint::recorder {

/// Nanoseconds of `CLOCK_MONOTONIC`.
uint64_t now();

/// The trace of this process. Any thread may add; nothing is written but memory, and nothing is
/// taken from the heap. It is never destroyed: calls may come while the process ends.
class TraceWriter {
 public:
  /// Makes the file. Without a folder to write to, nothing is ever recorded.
  bool open();
  /// A forked child goes on in a file of its own.
  void forget_parent();

  void set_state(cuda::RecorderState state, uint32_t cupti_status = 0);
  /// What failed to start does not become finished.
  void finish();
  void add(const cuda::TraceRecord& record);

 private:
  static constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
  static constexpr std::size_t records_of_chunk = chunk_bytes / sizeof(cuda::TraceRecord);
  static constexpr std::size_t most_chunks = 16384;

  cuda::TraceRecord* chunk(std::size_t number);
  void count_lost();

  int file_ = -1;
  cuda::TraceHeader* header_ = nullptr;
  std::size_t chunk_limit_ = 0;
  std::mutex grows_;
  std::atomic<cuda::TraceRecord*> chunks_[most_chunks]{};
};

}  // namespace vramlint::recorder
