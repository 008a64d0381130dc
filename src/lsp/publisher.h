// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "lsp/client.h"
#include "lsp/documents.h"
#include "lsp/outbox.h"

namespace vramlint::lsp {

/// What the client knows of the findings. They are sent to it, or kept for it to ask; where it has
/// asked and would be answered otherwise now, it is told to ask again.
class Publisher {
 public:
  Publisher(Documents& documents, const Client& client, Outbox& outbox)
      : documents_(documents), client_(client), outbox_(outbox) {}

  /// An open text is another one than before.
  void touch(const std::string& uri);
  /// It is not open any more.
  void close(const std::string& uri);
  /// Anything else may have changed what is found.
  void note_change();

  /// The report on an open text, for a client that asks and has the answer of the name `previous`.
  Json report_on(const std::string& uri, const std::string& previous);

  /// To be called when no message waits: says what has changed since the last time.
  void settle();

 private:
  /// What a client was answered that asked for the findings of a text.
  struct Answer {
    std::string name;  ///< by which it asks whether they are the same still
    Json items;
    /// It asks again as it is: its text has changed since, or it has been told to.
    bool is_left_behind = false;
  };

  const std::map<std::string, Json>& found();
  bool is_asked_for(const std::string& uri) const;
  bool leave_behind(const std::map<std::string, Json>& by_uri);
  void add_configuration_errors(std::map<std::string, Json>& by_uri);
  void send_changes(std::map<std::string, Json> by_uri);
  void publish(const std::string& uri, const Json& items);

  Documents& documents_;
  const Client& client_;
  Outbox& outbox_;
  std::map<std::string, Json> published_;  ///< what the client was sent last, by URI
  std::map<std::string, Answer> answers_;  ///< the last ones, by URI
  uint64_t next_name_ = 1;
  std::set<std::string> touched_;  ///< URIs of texts that have changed since it was settled
  std::set<std::string> said_;     ///< what has been shown and stands still
  bool is_due_ = false;            ///< something may have changed since it was settled
  bool is_old_ = true;             ///< … since `found_` was made
  std::map<std::string, Json> found_;
};

}  // namespace vramlint::lsp
