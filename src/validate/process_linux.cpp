// SPDX-License-Identifier: MIT
#ifdef __linux__

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "validate/keeper_linux.h"
#include "validate/process.h"

namespace vramlint::validate {

namespace {

/// How often the device's memory is looked at.
constexpr int tick_ms = 10;

/// Any byte tells the keeper to end the program.
void give_order(int orders) {
  const char byte = 'e';
  [[maybe_unused]] const ssize_t written = ::write(orders, &byte, 1);
}

/// Waits for the keeper's answer, and calls and asks meanwhile.
bool await_answer(int answer, int orders, Ended& ended, const std::function<void()>& every_tick,
                  const std::function<bool()>& is_interrupted) {
  bool told = false;
  for (;;) {
    pollfd open{answer, POLLIN, 0};
    const int ready = ::poll(&open, 1, tick_ms);
    every_tick();
    if (ready > 0) {
      const ssize_t got = ::read(answer, &ended, sizeof ended);
      if (got < 0 && errno == EINTR) continue;
      return got == static_cast<ssize_t>(sizeof ended);
    }
    if (!told && is_interrupted()) {
      give_order(orders);
      told = true;
    }
  }
}

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
  const pid_t keeper = ::fork();
  if (keeper < 0) ended = not_started(errno);
  if (keeper == 0) {
    ::close(orders[1]);
    ::close(answer[0]);
    keep(command, orders[0], answer[1]);
  }
  ::close(orders[0]);
  ::close(answer[1]);
  if (keeper > 0 && !await_answer(answer[0], orders[1], ended, every_tick, is_interrupted)) {
    ended = Ended{};  // somebody ended the keeper, and the program went with it
    ended.how = Ended::How::interrupted;
  }
  ::close(answer[0]);
  ::close(orders[1]);
  while (keeper > 0 && ::waitpid(keeper, nullptr, 0) < 0 && errno == EINTR) continue;
  return ended;
}

}  // namespace vramlint::validate

#endif
