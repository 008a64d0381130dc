// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vramlint::validate {

/// A program to run, and under which limits.
struct Command {
  std::vector<std::string> words;
  std::vector<std::string> environment;  ///< `NAME=value`, all of it
  std::string output;                    ///< files that take what it writes
  std::string errors;
  double seconds = 600;        ///< then it is asked to end, and killed when it does not
  std::string remove_if_lost;  ///< a folder that goes with the run when this process is killed
};

/// How a program ended.
struct Ended {
  enum class How : uint8_t {
    by_itself,
    by_signal,
    timed_out,
    interrupted,
    not_started,
    unclear  ///< the process that watched over it was ended or stopped meanwhile
  };

  How how = How::not_started;
  int status = 0;         ///< exit status, or the signal
  int error = 0;          ///< `errno`, where it was not started
  uint64_t began_ns = 0;  ///< `CLOCK_MONOTONIC`
  uint64_t ended_ns = 0;
  uint64_t host_peak_bytes = 0;  ///< resident memory of the largest of its processes
  uint32_t left_behind = 0;      ///< processes that it left running, and that were ended

  /// Whether its end tells something of the program.
  bool tells() const {
    return how == How::by_itself || how == How::by_signal || how == How::timed_out;
  }
  bool succeeded() const { return how == How::by_itself && status == 0; }
  double seconds() const {
    return ended_ns > began_ns ? static_cast<double>(ended_ns - began_ns) / 1e9 : 0;
  }
};

/// Whether programs can be run here under supervision: on Linux.
bool can_supervise();

/// Runs a program with nothing to read, in a process group of its own, and waits for it and all
/// that it started. `every_tick` is called every few milliseconds meanwhile. When `is_interrupted`
/// says so, or this process is killed, nothing of the program stays behind. Nor does it when the
/// program ends or stops the process that watches over it.
Ended run_supervised(const Command& command, const std::function<void()>& every_tick,
                     const std::function<bool()>& is_interrupted);

}  // namespace vramlint::validate
