// SPDX-License-Identifier: MIT
#include "lsp/inbox.h"

#include <utility>

namespace vramlint::lsp {

namespace {

/// A client that sends this much ahead of the answers has to wait.
constexpr std::size_t max_waiting_bytes = 256 << 20;

Inbox::Letter letter_of(MessageReader::Incoming incoming) {
  Inbox::Letter letter;
  letter.bytes = incoming.body.size();
  switch (incoming.kind) {
    case MessageReader::Kind::too_large:
      letter.code = ErrorCode::invalid_request;
      letter.trouble = "the message is too large";
      return letter;
    case MessageReader::Kind::broken:
      letter.code = ErrorCode::parse_error;
      letter.trouble = "there are bytes that belong to no message";
      return letter;
    case MessageReader::Kind::message: break;
  }
  std::optional<Json> message = parse_message(incoming.body);
  if (message) {
    letter.message = std::move(*message);
  } else {
    letter.code = ErrorCode::parse_error;
    letter.trouble = "the message is no JSON, or has too many parts";
  }
  return letter;
}

}  // namespace

void Inbox::put(MessageReader::Incoming incoming) {
  Letter letter = letter_of(std::move(incoming));
  std::unique_lock<std::mutex> guard(lock_);
  if (string_at(letter.message, "method") == "$/cancelRequest") {
    return cancel(member_at(letter.message, "params.id"));
  }
  changed_.wait(guard, [this] { return bytes_ < max_waiting_bytes || ended_; });
  bytes_ += letter.bytes;
  letters_.push_back(std::move(letter));
  changed_.notify_all();
}

void Inbox::cancel(const Json& id) {
  if (!is_id(id)) return;
  for (Letter& letter : letters_) {
    const bool is_request = member(letter.message, "method").is_string();
    if (is_request && member(letter.message, "id") == id) letter.cancelled = true;
  }
}

void Inbox::end() {
  const std::lock_guard<std::mutex> guard(lock_);
  ended_ = true;
  changed_.notify_all();
}

std::optional<Inbox::Letter> Inbox::take() {
  std::unique_lock<std::mutex> guard(lock_);
  changed_.wait(guard, [this] { return !letters_.empty() || ended_; });
  if (letters_.empty()) return std::nullopt;
  Letter letter = std::move(letters_.front());
  letters_.pop_front();
  bytes_ -= letter.bytes;
  changed_.notify_all();
  return letter;
}

bool Inbox::is_empty() {
  const std::lock_guard<std::mutex> guard(lock_);
  return letters_.empty();
}

}  // namespace vramlint::lsp
