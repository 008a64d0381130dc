// SPDX-License-Identifier: MIT
//
// What POSIX and Windows do differently, in one place: `system_posix.cpp`, `system_windows.cpp`.
// What both have (`stat`, `read`, `close`) is called where it is needed. Paths are UTF-8 on both.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vramlint {

/// A descriptor, or -1 with `errno`. Never waits, as opening a FIFO else does for a writer, and is
/// not handed on to children.
int open_for_reading(const std::string& path);

/// A folder, and not a link to one.
bool is_real_folder(const std::string& path);

/// The path without links in it; empty with `errno` when there is nothing.
std::string real_path(const std::string& path);

/// Gives an open file the owner that another has, where that is allowed, and its mode.
bool take_owner_and_mode(int descriptor, const struct stat& status);

/// Waits until what was written will outlast a loss of power.
bool flush_file(int descriptor);

/// The same for the names in a folder. Not every file system can; none is worse off.
void flush_folder(const std::string& folder);

/// Moves a closed file to where another may be, in one step.
bool rename_over(const std::string& from, const std::string& to);

/// Whether a person reads what is written there.
bool is_terminal(int descriptor);

/// Makes the standard streams pass bytes as they are: UTF-8, no carriage returns added or taken. A
/// file that is opened must never get the number of one that the caller closed, as what is written
/// there would end up in it: on POSIX a closed one is held, and still can't be written.
void prepare_streams();

/// Whether there is a process of that number. One that nobody may look at counts as there.
bool process_lives(int64_t number);

/// Nanoseconds of a clock that never goes back and is the same in all processes: on POSIX
/// `CLOCK_MONOTONIC`, which Python's `time.monotonic_ns` and the recorder read too.
uint64_t monotonic_ns();

/// The variables of this process, as `NAME=value`.
std::vector<std::string> own_environment();

/// While it lives, Ctrl-C and requests to end are noted instead of ending this process. On Windows
/// they end it as ever.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  static bool was_interrupted();
};

/// How long a program is listened to.
struct Patience {
  double seconds = 0;  ///< 0: until it has ended and nothing holds its pipes
  std::function<bool()> is_interrupted = [] { return false; };
};

/// What a program had to say.
struct ProgramAnswer {
  bool started = false;    ///< false: there is no such program, or no way to start it
  bool timed_out = false;  ///< it was ended, since patience was at its end
  int status = -1;         ///< exit status; -1 when it was killed
  std::string output;
  std::string complaints;  ///< what it wrote to its standard error

  bool succeeded() const { return started && status == 0; }
};

/// Runs a program that is found on the path, never in the current folder, with these variables and
/// nothing to read, and waits for it. Where patience has an end the program gets a process group of
/// its own, which is ended with it: what it leaves in the background holds nobody up.
ProgramAnswer run_program(std::vector<std::string> words, std::vector<std::string> environment,
                          const Patience& patience = {});

}  // namespace vramlint
