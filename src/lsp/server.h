// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <variant>

#include "lsp/client.h"
#include "lsp/documents.h"

namespace vramlint::lsp {

/// The language server without its streams: messages in, messages out, one after the other.
/// Whatever comes in, something sensible goes out; nothing of it ends the program.
class Server {
 public:
  using Send = std::function<void(const Json&)>;

  Server(const knowledge::Knowledge& knowledge, Send send);

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

  /// What a client was answered that asked for the findings of a text.
  struct Pulled {
    std::string name;  ///< by which it asks whether they are the same still
    Json items;
    /// It asks again without being told to: its text has changed since, or it has been told.
    bool is_left_behind = false;
  };

  void take_request(const Json& id, const std::string& method, const Json& parameters);
  void take_notification(const std::string& method, const Json& parameters);
  void take_response(const Json& message);
  Answer answer(const std::string& method, const Json& parameters);

  Answer initialize(const Json& parameters);
  void initialized();
  void watch_files();
  void ask_for_settings();
  void take_settings(const Json& settings);

  void did_open(const Json& parameters);
  void did_change(const Json& parameters);
  void change_text(const Json& document, const Json& changes);
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

  void publish(const std::string& uri, const Json& items);
  void show_configuration_errors(std::map<std::string, Json>& by_uri);
  bool is_asked_for(const std::string& uri) const;
  void touch(const std::string& uri);
  void note_old_answers(const std::map<std::string, Json>& by_uri);
  void send_request(std::string_view method, Json parameters);
  void show_message(int type, const std::string& text);
  void log(const std::string& text);

  const knowledge::Knowledge& knowledge_;
  Send send_;
  Client client_;
  Documents documents_;
  Phase phase_ = Phase::fresh;
  std::optional<int> exit_status_;
  std::optional<int64_t> client_process_;
  int64_t next_request_ = 1;
  std::set<int64_t> settings_requests_;    ///< whose answers are settings
  std::map<std::string, Json> published_;  ///< what the client was sent last, by URI
  std::map<std::string, Pulled> pulled_;   ///< what the client was answered last, by URI
  uint64_t next_result_ = 1;
  std::set<std::string> touched_;  ///< URIs of open texts that have changed
  std::set<std::string> said_;     ///< messages shown already
  bool is_due_ = false;            ///< something may have changed
  bool must_refresh_ = false;      ///< … in a way that the client can't know of
};

}  // namespace vramlint::lsp
