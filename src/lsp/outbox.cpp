// SPDX-License-Identifier: MIT
#include "lsp/outbox.h"

#include <utility>

namespace vramlint::lsp {

namespace {

/// `MessageType`.
constexpr int error_type = 1;
constexpr int log_type = 4;

}  // namespace

void Outbox::notify(std::string_view method, Json parameters) {
  send_(notification(method, std::move(parameters)));
}

int64_t Outbox::request(std::string_view method, Json parameters) {
  const int64_t number = next_request_++;
  send_(lsp::request(number, method, std::move(parameters)));
  return number;
}

void Outbox::show_error(const std::string& text) {
  notify("window/showMessage", {{"type", error_type}, {"message", text}});
}

void Outbox::log(const std::string& text) {
  notify("window/logMessage", {{"type", log_type}, {"message", text}});
}

}  // namespace vramlint::lsp
