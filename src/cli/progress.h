// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <ostream>
#include <thread>

namespace vramlint::cli {

/// A line on a terminal that says how far a long run has come, and goes away with its end. A run of
/// less than a second shows none; where it isn't wanted, nothing is started.
class Progress {
 public:
  Progress(std::size_t total, std::ostream& terminal, bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One file more is done. From any thread.
  void step() { done_.fetch_add(1, std::memory_order_relaxed); }

 private:
  void show();
  void run();

  std::size_t total_;
  std::ostream& terminal_;
  std::atomic<std::size_t> done_ = 0;
  std::mutex lock_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::size_t shown_ = 0;
  std::size_t width_ = 0;  ///< of what stands on the line
  std::thread thread_;
};

}  // namespace vramlint::cli
