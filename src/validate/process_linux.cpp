// SPDX-License-Identifier: MIT
#ifdef __linux__

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "support/system.h"
#include "validate/children_linux.h"
#include "validate/keeper_linux.h"
#include "validate/process.h"

namespace vramlint::validate {

namespace {

/// How often the device's memory is looked at.
constexpr int tick_ms = 10;

/// For the keeper to end the program and what is left of it, whatever they do about it.
constexpr uint64_t patience_with_keeper = 15'000'000'000;

/// A keeper at work, seen from the runner.
class Keeping {
 public:
  Keeping(pid_t keeper, int orders, int answer, double seconds)
      : keeper_(keeper),
        orders_(orders),
        answer_(answer),
        until_(monotonic_ns() + static_cast<uint64_t>(seconds * 1e9) + patience_with_keeper) {}

  /// Waits for its answer, and calls and asks meanwhile. The program may have ended its keeper, or
  /// stopped it: then how the run ended is not clear.
  Ended await(const std::function<void()>& every_tick,
              const std::function<bool()>& is_interrupted) {
    Ended ended;
    ended.began_ns = monotonic_ns();
    for (;;) {
      pollfd open{answer_, POLLIN, 0};
      const int ready = ::poll(&open, 1, tick_ms);
      every_tick();
      if (ready > 0) {
        const ssize_t got = ::read(answer_, &ended, sizeof ended);
        if (got < 0 && errno == EINTR) continue;
        if (got != static_cast<ssize_t>(sizeof ended) || was_stopped_) break;
        return ended;
      }
      wake();
      if (!is_told_ && is_interrupted()) give_order();
      if (monotonic_ns() >= until_) ::kill(keeper_, SIGKILL);
    }
    ended.how = Ended::How::unclear;
    ended.ended_ns = monotonic_ns();
    return ended;
  }

 private:
  /// A stopped keeper would look to no limit.
  void wake() {
    // The answer tells of its end; this is for being stopped, and leaves an end to be waited for.
    siginfo_t info{};
    const bool told = ::waitid(P_PID, static_cast<id_t>(keeper_), &info, WSTOPPED | WNOHANG) == 0;
    if (!told || info.si_pid != keeper_ || info.si_code != CLD_STOPPED) return;
    was_stopped_ = true;
    ::kill(keeper_, SIGCONT);
  }

  /// Any byte tells the keeper to end the program.
  void give_order() {
    const char byte = 'e';
    [[maybe_unused]] const ssize_t written = ::write(orders_, &byte, 1);
    is_told_ = true;
    until_ = std::min(until_, monotonic_ns() + patience_with_keeper);
  }

  pid_t keeper_;
  int orders_;
  int answer_;
  uint64_t until_;
  bool is_told_ = false;
  bool was_stopped_ = false;
};

Ended not_started(int error) {
  Ended ended;
  ended.error = error;
  return ended;
}

}  // namespace

bool can_supervise() { return true; }

Ended run_supervised(const Command& command, const std::function<void()>& every_tick,
                     const std::function<bool()>& is_interrupted) {
  Ended ended;
  int orders[2] = {-1, -1};
  int answer[2] = {-1, -1};
  if (::pipe2(orders, O_CLOEXEC) != 0) return not_started(errno);
  if (::pipe2(answer, O_CLOEXEC) != 0) {
    const int error = errno;
    ::close(orders[0]);
    ::close(orders[1]);
    return not_started(error);
  }
  // What a program leaves comes here when its keeper is gone.
  const std::vector<pid_t> before = own_children();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t keeper = ::fork();
  if (keeper < 0) ended = not_started(errno);
  if (keeper == 0) {
    ::close(orders[1]);
    ::close(answer[0]);
    keep(command, orders[0], answer[1]);
  }
  ::close(orders[0]);
  ::close(answer[1]);
  if (keeper > 0) {
    ended =
        Keeping(keeper, orders[1], answer[0], command.seconds).await(every_tick, is_interrupted);
  }
  ::close(answer[0]);
  ::close(orders[1]);
  while (keeper > 0 && ::waitpid(keeper, nullptr, 0) < 0 && errno == EINTR) continue;
  if (ended.how == Ended::How::unclear) end_children_but(before);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  return ended;
}

}  // namespace vramlint::validate

#endif
