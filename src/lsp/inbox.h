// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "lsp/framing.h"
#include "lsp/protocol.h"

namespace vramlint::lsp {

/// Messages that wait for their turn. One thread puts them in as they arrive, another takes them
/// out; a request that is cancelled while it waits is marked.
class Inbox {
 public:
  struct Letter {
    Json message;  ///< null for what is none
    std::string trouble;
    ErrorCode code{};
    bool cancelled = false;
    std::size_t bytes = 0;
  };

  /// Waits while very much is waiting already.
  void put(MessageReader::Incoming incoming);
  /// Nothing more will come.
  void end();

  /// Waits for a message; nothing after the last one.
  std::optional<Letter> take();
  bool is_empty();

 private:
  void cancel(const Json& id);

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<Letter> letters_;
  std::size_t bytes_ = 0;
  bool ended_ = false;
};

}  // namespace vramlint::lsp
