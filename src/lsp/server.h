// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "knowledge/knowledge.h"
#include "lsp/client.h"
#include "lsp/documents.h"
#include "lsp/outbox.h"
#include "lsp/publisher.h"

namespace vramlint::lsp {

/// The language server without its streams: messages in, messages out, one after the other.
/// Whatever comes in, something sensible goes out; nothing of it ends the program.
class Server {
 public:
  Server(const knowledge::Knowledge& knowledge, Outbox::Send send);

  /// One message. A request that has been cancelled before its turn is refused.
  void take(const Json& message, bool cancelled = false);
  /// What was no message at all.
  void refuse(ErrorCode code, const std::string& why);
  /// To be called when no message waits: says what has changed about the findings.
  void settle();

  /// Set by `exit`: the status to end with.
  std::optional<int> exit_status() const { return exit_status_; }
  /// The client's process, once it has named it.
  std::optional<int64_t> client_process() const { return client_process_; }

 private:
  using Answer = std::variant<Json, Refusal>;
  enum class Phase : uint8_t { fresh, running, shut_down };

  /// A place in an open text.
  struct Spot {
    std::shared_ptr<const text::Source> source;
    uint32_t offset = 0;
    const knowledge::Target& target;  ///< of the project that the text is in
  };

  void take_request(const Json& id, const std::string& method, const Json& parameters);
  void take_notification(const std::string& method, const Json& parameters);
  void take_response(const Json& message);
  Answer answer(const std::string& method, const Json& parameters);

  Answer initialize(const Json& parameters);
  void initialized();
  void ask_for_settings();
  void take_settings(const Json& settings);

  void did_open(const Json& parameters);
  void did_change(const Json& parameters);
  void change_text(const Json& document, const Json& changes);
  void did_save();
  void close_text(const std::string& uri);
  void did_open_notebook(const Json& parameters);
  void did_change_notebook(const Json& parameters);
  void did_close_notebook(const Json& parameters);
  void open_cells(const std::string& notebook, const Json& texts);
  void did_change_folders(const Json& parameters);
  void did_change_files(const Json& parameters);

  Answer diagnostics_of(const Json& parameters);
  Answer code_actions(const Json& parameters);
  Answer hover(const Json& parameters);
  Answer completion(const Json& parameters);
  std::optional<Spot> spot_in(const Json& parameters);

  const knowledge::Knowledge& knowledge_;
  Outbox outbox_;
  Client client_;
  Documents documents_;
  Publisher publisher_;
  Phase phase_ = Phase::fresh;
  std::optional<int> exit_status_;
  std::optional<int64_t> client_process_;
  std::set<int64_t> settings_requests_;  ///< whose answers are settings
};

}  // namespace vramlint::lsp
