// SPDX-License-Identifier: MIT
#ifdef __linux__

#include "validate/keeper_linux.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "support/system.h"
#include "validate/children_linux.h"

namespace vramlint::validate {

namespace {

constexpr uint64_t second = 1'000'000'000;
/// Helpers of the program's own (a resource tracker, workers) end a moment after it.
constexpr uint64_t patience_with_helpers = second / 2;
/// Between being asked to end and being killed.
constexpr uint64_t patience_with_program = 5 * second;

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

class Keeper {
 public:
  Keeper(const Command& command, int orders, int answer)
      : command_(command), orders_(orders), answer_(answer) {}

  [[noreturn]] void run() {
    // A group of its own: Ctrl-C at a terminal goes to the runner alone, which decides.
    ::setpgid(0, 0);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::prctl(PR_SET_NAME, "vramlint-keeper");
    for (const int ignored : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(ignored, SIG_IGN);
    sigset_t child_signal;
    ::sigemptyset(&child_signal);
    ::sigaddset(&child_signal, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child_signal, &usual_mask_);
    signals_ = ::signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
    ended_.began_ns = monotonic_ns();
    start();
    if (program_ > 0) wait_for_program();
    if (program_ > 0) end_what_is_left();
    ssize_t written = 0;
    do {
      written = ::write(answer_, &ended_, sizeof ended_);
    } while (written < 0 && errno == EINTR);
    if (runner_is_gone_) remove_folder();
    ::_exit(0);
  }

 private:
  void start() {
    int failed[2] = {-1, -1};
    if (::pipe2(failed, O_CLOEXEC) != 0) {
      ended_.error = errno;
      return;
    }
    program_ = ::fork();
    const int fork_error = errno;
    if (program_ == 0) become_program(failed[1]);
    ::close(failed[1]);
    if (program_ < 0) {
      ended_.error = fork_error;
      program_ = 0;
    } else {
      ::setpgid(program_, program_);
    }
    int error = 0;
    ssize_t got = 0;
    do {
      got = ::read(failed[0], &error, sizeof error);
    } while (got < 0 && errno == EINTR);
    ::close(failed[0]);
    if (got != sizeof error) return;
    ended_.error = error;
    ::waitpid(program_, nullptr, 0);
    program_ = 0;
  }

  [[noreturn]] void become_program(int failed) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int usual : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(usual, SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &usual_mask_, nullptr);
    const int input = ::open("/dev/null", O_RDONLY);
    const int output = ::open(command_.output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    const int errors = ::open(command_.errors.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    const bool opened = ::dup2(input, 0) >= 0 && ::dup2(output, 1) >= 0 && ::dup2(errors, 2) >= 0;
    const std::vector<char*> words = pointers_to(command_.words);
    const std::vector<char*> variables = pointers_to(command_.environment);
    if (opened) {
      for (const int each : {input, output, errors}) {
        if (each > 2) ::close(each);
      }
      ::execvpe(words[0], words.data(), variables.data());
    }
    const int error = errno;
    [[maybe_unused]] const ssize_t told = ::write(failed, &error, sizeof error);
    ::_exit(127);
  }

  void wait_for_program() {
    const uint64_t limit = ended_.began_ns + static_cast<uint64_t>(command_.seconds * 1e9);
    while (!done_) {
      reap();
      if (done_) return;
      const uint64_t time = monotonic_ns();
      if (kill_at_ != 0 && time >= kill_at_) signal_group(SIGKILL);
      if (kill_at_ == 0 && time >= limit) {
        why_ = Ended::How::timed_out;
        ask_to_end(SIGTERM);
      }
      const uint64_t next = kill_at_ != 0 ? kill_at_ : limit;
      const uint64_t wait_ms = next > time ? (next - time) / 1'000'000 + 1 : 20;
      std::array<pollfd, 2> open{pollfd{signals_, POLLIN, 0}, pollfd{orders_, POLLIN, 0}};
      const nfds_t count = runner_is_gone_ ? 1 : 2;
      ::poll(open.data(), count, static_cast<int>(std::min<uint64_t>(wait_ms, 60'000)));
      if (count == 2 && open[1].revents != 0) take_order();
    }
  }

  void take_order() {
    char order = 0;
    const ssize_t got = ::read(orders_, &order, 1);
    if (got < 0 && errno == EINTR) return;
    why_ = Ended::How::interrupted;
    if (got <= 0) {
      runner_is_gone_ = true;
      kill_at_ = monotonic_ns();
      return signal_group(SIGKILL);
    }
    ask_to_end(SIGINT);
  }

  void ask_to_end(int how) {
    kill_at_ = monotonic_ns() + patience_with_program;
    ::kill(-program_, how);
  }

  void signal_group(int how) {
    ::kill(-program_, how);
    kill_at_ = monotonic_ns() + second / 10;  // again, for what was being forked just then
  }

  void reap() {
    signalfd_siginfo ignored;
    while (::read(signals_, &ignored, sizeof ignored) > 0) continue;
    for (;;) {
      int status = 0;
      rusage used{};
      const pid_t ended = ::wait4(-1, &status, WNOHANG, &used);
      if (ended <= 0) return;
      const auto peak = static_cast<uint64_t>(used.ru_maxrss) * 1024;
      ended_.host_peak_bytes = std::max(ended_.host_peak_bytes, peak);
      if (ended != program_) continue;
      done_ = true;
      ended_.ended_ns = monotonic_ns();
      ended_.how = WIFEXITED(status) ? Ended::How::by_itself : Ended::How::by_signal;
      ended_.status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
      if (why_ != Ended::How::by_itself) ended_.how = why_;
    }
  }

  /// What the program started may have gone on without it, in other process groups too.
  void end_what_is_left() {
    const bool killed = ended_.how != Ended::How::by_itself;
    const uint64_t until = monotonic_ns() + (killed ? 0 : patience_with_helpers);
    std::vector<pid_t> left = own_children();
    while (!left.empty() && monotonic_ns() < until) {
      ::poll(nullptr, 0, 20);
      reap();
      left = own_children();
    }
    ended_.left_behind = killed ? 0 : static_cast<uint32_t>(left.size());
    ::kill(-program_, SIGKILL);
    for (int round = 0; round < 250 && !left.empty(); ++round) {
      for (const pid_t each : left) ::kill(each, SIGKILL);
      ::poll(nullptr, 0, 20);
      reap();
      left = own_children();
    }
  }

  void remove_folder() const {
    std::error_code ignored;
    if (!command_.remove_if_lost.empty()) {
      std::filesystem::remove_all(command_.remove_if_lost, ignored);
    }
  }

  const Command& command_;
  int orders_;
  int answer_;
  int signals_ = -1;
  sigset_t usual_mask_{};
  pid_t program_ = 0;
  bool done_ = false;
  bool runner_is_gone_ = false;
  uint64_t kill_at_ = 0;
  Ended::How why_ = Ended::How::by_itself;
  Ended ended_;
};

}  // namespace

void keep(const Command& command, int orders, int answer) { Keeper(command, orders, answer).run(); }

}  // namespace vramlint::validate

#endif
