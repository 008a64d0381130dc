// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "lsp/protocol.h"

namespace vramlint::lsp {

/// What goes to the client, message by message.
class Outbox {
 public:
  using Send = std::function<void(const Json&)>;

  explicit Outbox(Send send) : send_(std::move(send)) {}

  void send(const Json& message) { send_(message); }
  void notify(std::string_view method, Json parameters);
  /// The number that the answer will have.
  int64_t request(std::string_view method, Json parameters);

  /// For people, who see it at once.
  void show_error(const std::string& text);
  /// For people who look for it.
  void log(const std::string& text);

 private:
  Send send_;
  int64_t next_request_ = 1;
};

}  // namespace vramlint::lsp
