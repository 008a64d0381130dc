// SPDX-License-Identifier: MIT
#ifndef _WIN32

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>

#include "support/system.h"

extern char** environ;

namespace vramlint {

namespace {

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// A pipe whose ends close with it, and that children do not inherit.
class Pipe {
 public:
  Pipe() {
#ifdef __APPLE__
    is_open_ = ::pipe(ends_.data()) == 0;
    for (const int end : ends_) ::fcntl(end, F_SETFD, FD_CLOEXEC);
#else
    is_open_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0;
#endif
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool is_open() const { return is_open_; }
  int to_read() const { return ends_[0]; }
  int to_write() const { return ends_[1]; }
  void close_writing() { close_end(1); }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }

  std::array<int, 2> ends_{-1, -1};
  bool is_open_ = false;
};

constexpr int tick_ms = 10;

/// What a program has left in the background may go on talking after it for so long.
constexpr uint64_t patience_with_echo = 500'000'000;

/// A program with an end to its time that never stops talking fills no memory.
constexpr std::size_t most_heard_bytes = std::size_t{1} << 24;

volatile std::sig_atomic_t interrupts = 0;

void note_interrupt(int /*signal*/) { interrupts = interrupts + 1; }

/// A pipe that nobody reads any more is one too: `vramlint validate … | head`.
constexpr std::array<int, 4> requests_to_end{SIGINT, SIGTERM, SIGHUP, SIGPIPE};
std::array<struct sigaction, requests_to_end.size()> handlers_before;

/// Ended, but still to be waited for: its number is nobody else's yet.
bool has_ended(pid_t child) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == child;
}

/// The two pipes of a program.
class Ear {
 public:
  Ear(int output, int complaints, ProgramAnswer& answer)
      : open_{pollfd{output, POLLIN, 0}, pollfd{complaints, POLLIN, 0}},
        texts_{&answer.output, &answer.complaints} {}

  bool is_open() const { return open_[0].fd >= 0 || open_[1].fd >= 0; }

  /// Both at once: a program that fills one pipe while nobody reads it would wait for ever. False
  /// when nothing came.
  bool listen(int wait_ms) {
    if (::poll(open_.data(), open_.size(), wait_ms) <= 0) return false;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (open_[i].fd < 0 || open_[i].revents == 0) continue;
      const ssize_t got = ::read(open_[i].fd, buffer_.data(), buffer_.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        open_[i].fd = -1;
      } else {
        texts_[i]->append(buffer_.data(), static_cast<std::size_t>(got));
      }
    }
    return true;
  }

  void forget_beginnings() {
    for (std::string* text : texts_) {
      if (text->size() > 2 * most_heard_bytes) text->erase(0, text->size() - most_heard_bytes);
    }
  }

 private:
  std::array<pollfd, 2> open_;
  std::array<std::string*, 2> texts_;
  std::array<char, 65536> buffer_;
};

/// Listens until the program has ended and said all, or patience has.
void hear_out(pid_t child, Ear& ear, const Patience& patience, ProgramAnswer& answer) {
  uint64_t until = monotonic_ns() + static_cast<uint64_t>(patience.seconds * 1e9);
  bool ended = false;
  for (;;) {
    if (!ended && has_ended(child)) {
      ended = true;
      until = std::min(until, monotonic_ns() + patience_with_echo);
    }
    const bool heard = ear.listen(tick_ms);
    ear.forget_beginnings();
    if (ended && !heard) return;
    const bool is_late = monotonic_ns() >= until;
    answer.timed_out = is_late && !ended;
    if (is_late || patience.is_interrupted()) return;
  }
}

}  // namespace

int open_for_reading(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

bool is_real_folder(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::string real_path(const std::string& path) {
  char* found = ::realpath(path.c_str(), nullptr);
  if (found == nullptr) return {};
  std::string made(found);
  std::free(found);
  return made;
}

bool take_owner_and_mode(int descriptor, const struct stat& status) {
  // The mode comes last: a change of owner takes bits of it away.
  const bool same_owner = ::fchown(descriptor, status.st_uid, status.st_gid) == 0;
  const mode_t mode = status.st_mode & (same_owner ? 07777 : 0777);
  return ::fchmod(descriptor, mode) == 0;
}

bool flush_file(int descriptor) { return ::fsync(descriptor) == 0; }

void flush_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

bool rename_over(const std::string& from, const std::string& to) {
  return ::rename(from.c_str(), to.c_str()) == 0;
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

void prepare_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) ::open("/dev/null", O_RDONLY);
  }
}

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  return variables;
}

uint64_t monotonic_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

bool process_lives(int64_t number) {
  // 0 and less would ask about groups of processes.
  if (number <= 0 || number > std::numeric_limits<pid_t>::max()) return false;
  return ::kill(static_cast<pid_t>(number), 0) == 0 || errno == EPERM;
}

InterruptWatch::InterruptWatch() {
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  for (std::size_t i = 0; i < requests_to_end.size(); ++i) {
    ::sigaction(requests_to_end[i], nullptr, &handlers_before[i]);
    // `nohup` and the like: who asked for it to be ignored still does.
    if (handlers_before[i].sa_handler == SIG_IGN) continue;
    ::sigaction(requests_to_end[i], &action, nullptr);
  }
}

InterruptWatch::~InterruptWatch() {
  for (std::size_t i = 0; i < requests_to_end.size(); ++i) {
    ::sigaction(requests_to_end[i], &handlers_before[i], nullptr);
  }
}

bool InterruptWatch::was_interrupted() { return interrupts > 0; }

ProgramAnswer run_program(std::vector<std::string> words, std::vector<std::string> environment,
                          const Patience& patience) {
  ProgramAnswer answer;
  Pipe output;
  Pipe complaints;
  if (!output.is_open() || !complaints.is_open()) return answer;
  const bool is_limited = patience.seconds > 0;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (is_limited) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.to_write(), 1);
  posix_spawn_file_actions_adddup2(&actions, complaints.to_write(), 2);
  const std::vector<char*> argv = pointers_to(words);
  const std::vector<char*> variables = pointers_to(environment);
  pid_t child = 0;
  const int failed =
      ::posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  output.close_writing();
  complaints.close_writing();
  if (failed != 0) return answer;
  answer.started = true;
  Ear ear(output.to_read(), complaints.to_read(), answer);
  if (is_limited) {
    hear_out(child, ear, patience, answer);
    ::kill(-child, SIGKILL);
  }
  while (!is_limited && ear.is_open()) ear.listen(-1);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status)) answer.status = WEXITSTATUS(status);
  if (answer.status == 127) answer.started = false;
  return answer;
}

}  // namespace vramlint

#endif
