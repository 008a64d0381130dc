// SPDX-License-Identifier: MIT
#include "cli/progress.h"

#include <chrono>
#include <string>

namespace vramlint::cli {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds first_wait{1000};
constexpr milliseconds between{100};

}  // namespace

Progress::Progress(std::size_t total, std::ostream& terminal, bool wanted)
    : total_(total), terminal_(terminal) {
  if (wanted && total > 1) thread_ = std::thread([this] { run(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> guard(lock_);
    ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
  if (width_ == 0) return;
  terminal_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
}

void Progress::show() {
  const std::size_t done = done_.load(std::memory_order_relaxed);
  if (width_ > 0 && done == shown_) return;
  shown_ = done;
  const std::string text =
      "checking " + std::to_string(done) + "/" + std::to_string(total_) + " files";
  width_ = text.size();
  terminal_ << '\r' << text << std::flush;
}

void Progress::run() {
  std::unique_lock<std::mutex> guard(lock_);
  const auto has_ended = [this] { return ended_; };
  if (changed_.wait_for(guard, first_wait, has_ended)) return;
  do {
    show();
  } while (!changed_.wait_for(guard, between, has_ended));
}

}  // namespace vramlint::cli
