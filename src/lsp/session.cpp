// SPDX-License-Identifier: MIT
// The streams of the server: one thread reads, so that a request can be cancelled while another one
// is answered; the caller's thread answers and writes.
#include "lsp/session.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "lsp/framing.h"
#include "lsp/inbox.h"
#include "lsp/server.h"
#include "support/system.h"

namespace vramlint::lsp {

namespace {

constexpr uint64_t max_message_bytes = 128 << 20;
constexpr int input = 0;
constexpr int output = 1;
constexpr int client_is_gone = 1;

void read_all(Inbox& inbox) {
  MessageReader reader(max_message_bytes);
  std::array<char, 1 << 16> bytes{};
  while (true) {
    const auto count = ::read(input, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    reader.feed({bytes.data(), static_cast<std::size_t>(count)});
    while (std::optional<MessageReader::Incoming> incoming = reader.next()) {
      inbox.put(std::move(*incoming));
    }
  }
  inbox.end();
}

/// False when nobody reads any more.
bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(output, bytes.data(), static_cast<unsigned>(bytes.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// Ends the program when the client's process is gone. Its end of the pipes closes with it, unless
/// it has children that hold them open.
class Watch {
 public:
  explicit Watch(int64_t process)
      : thread_([this, process](std::stop_token stop) {
          std::unique_lock<std::mutex> guard(lock_);
          while (!stop.stop_requested() && process_lives(process)) {
            ended_.wait_for(guard, stop, std::chrono::seconds(3), [] { return false; });
          }
          // The other threads may wait for bytes that never come.
          if (!stop.stop_requested()) std::_Exit(client_is_gone);
        }) {}

 private:
  std::mutex lock_;
  std::condition_variable_any ended_;
  std::jthread thread_;  ///< last: it uses the others
};

int answer_all(Inbox& inbox, const knowledge::Knowledge& knowledge) {
  bool can_write = true;
  Server server(knowledge, [&](const Json& message) {
    can_write = can_write && write_all(framed(text_of(message)));
  });
  std::optional<Watch> watch;
  bool is_named = false;
  while (can_write) {
    std::optional<Inbox::Letter> letter = inbox.take();
    if (!letter) break;
    if (letter->trouble.empty()) {
      server.take(letter->message, letter->cancelled);
    } else {
      server.refuse(letter->code, letter->trouble);
    }
    letter.reset();
    if (const std::optional<int> status = server.exit_status()) return *status;
    const std::optional<int64_t> process = server.client_process();
    if (process && !std::exchange(is_named, true)) {
      // A number that nobody has now comes from another machine.
      if (process_lives(*process)) watch.emplace(*process);
    }
    if (inbox.is_empty()) server.settle();
  }
  return client_is_gone;
}

}  // namespace

void serve(const knowledge::Knowledge& knowledge) {
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);  // a client that is gone shows when it is written to
#endif
  Inbox inbox;
  std::thread reader([&inbox] { read_all(inbox); });
  const int status = answer_all(inbox, knowledge);
  // The reader may wait for a client that keeps its end open; there is nothing to be kept.
  std::_Exit(status);
}

}  // namespace vramlint::lsp
