// SPDX-License-Identifier: MIT
#include "lsp/publisher.h"

#include <exception>
#include <optional>
#include <utility>

#include "lsp/findings.h"

namespace vramlint::lsp {

namespace {

/// The findings of one text.
Json items_of(const std::map<std::string, Json>& by_uri, const std::string& uri) {
  const auto found = by_uri.find(uri);
  return found == by_uri.end() ? Json::array() : found->second;
}

}  // namespace

void Publisher::touch(const std::string& uri) {
  touched_.insert(uri);
  const auto answer = answers_.find(uri);
  if (answer != answers_.end()) answer->second.is_left_behind = true;
  note_change();
}

void Publisher::close(const std::string& uri) {
  answers_.erase(uri);
  note_change();
}

void Publisher::note_change() { is_due_ = is_old_ = true; }

/// The findings of all texts, by URI.
const std::map<std::string, Json>& Publisher::found() {
  if (is_old_) found_ = all_diagnostics(documents_, client_);
  is_old_ = false;
  return found_;
}

Json Publisher::report_on(const std::string& uri, const std::string& previous) {
  Json items = items_of(found(), uri);
  if (published_.contains(uri)) is_due_ = true;  // what was sent before it asked has to go
  Answer& answer = answers_[uri];
  answer.is_left_behind = false;
  const bool is_same = !answer.name.empty() && answer.items == items;
  if (is_same && previous == answer.name) {
    return {{"kind", "unchanged"}, {"resultId", answer.name}};
  }
  if (!is_same) {
    answer.name = std::to_string(next_name_++);
    answer.items = items;
  }
  return {{"kind", "full"}, {"resultId", answer.name}, {"items", std::move(items)}};
}

void Publisher::settle() {
  if (!std::exchange(is_due_, false)) return;
  std::map<std::string, Json> by_uri;
  bool must_refresh = false;
  try {
    by_uri = found();
    must_refresh = leave_behind(by_uri);
  } catch (const std::exception& problem) {
    outbox_.log(std::string("the open texts could not be checked: ") + problem.what());
  }
  if (client_.pulls) {
    std::erase_if(by_uri, [&](const auto& entry) { return is_asked_for(entry.first); });
  }
  add_configuration_errors(by_uri);
  send_changes(std::move(by_uri));
  if (must_refresh && client_.refreshes) outbox_.request("workspace/diagnostic/refresh", Json());
}

/// Whether the client asks for the findings of a text by itself. Files that are not open have
/// nobody to ask for them, and many clients that do ask never do it for cells of notebooks.
bool Publisher::is_asked_for(const std::string& uri) const {
  const Document* document = documents_.find(uri);
  if (!client_.pulls || document == nullptr) return false;
  return document->notebook.empty() || answers_.contains(uri);
}

/// Settings, files on the disk and edits of one text change what is found in another, of which the
/// client need not know. Whether there is one more such text than it has been told of.
bool Publisher::leave_behind(const std::map<std::string, Json>& by_uri) {
  bool is_any = false;
  for (auto& [uri, answer] : answers_) {
    if (answer.is_left_behind || answer.items == items_of(by_uri, uri)) continue;
    answer.is_left_behind = true;
    is_any = true;
  }
  return is_any;
}

void Publisher::add_configuration_errors(std::map<std::string, Json>& by_uri) {
  std::set<std::string> standing;
  for (Root* root : documents_.roots()) {
    const std::optional<Error> error = root->configuration_error();
    if (!error) continue;
    const std::string where = error->path.empty() ? "" : error->path + ": ";
    const std::string text = where + text_of(*error);
    const bool is_new = standing.insert(text).second && !said_.contains(text);
    if (is_new) outbox_.show_error("vramlint: " + text);
    if (error->path.empty()) continue;
    by_uri.try_emplace(documents_.uri_of(root->absolute(error->path)), Json::array())
        .first->second.push_back(diagnostic_json(*error));
  }
  said_ = std::move(standing);
}

void Publisher::send_changes(std::map<std::string, Json> by_uri) {
  for (const std::string& uri : touched_) {
    if (documents_.find(uri) != nullptr && !is_asked_for(uri)) {
      by_uri.try_emplace(uri, Json::array());
    }
  }
  for (const auto& [uri, items] : published_) by_uri.try_emplace(uri, Json::array());
  for (const auto& [uri, items] : by_uri) {
    const auto last = published_.find(uri);
    const bool is_known = last == published_.end() ? items.empty() : last->second == items;
    const bool has_moved = touched_.contains(uri) && !is_asked_for(uri);
    if (!is_known || has_moved) publish(uri, items);
    if (items.empty()) {
      published_.erase(uri);
    } else {
      published_.insert_or_assign(uri, items);
    }
  }
  touched_.clear();
}

/// What is not open or shows nothing gets no findings; the client forgets what it had.
void Publisher::publish(const std::string& uri, const Json& items) {
  const Document* document = documents_.find(uri);
  Json parameters = {{"uri", uri}, {"diagnostics", items}};
  if (document != nullptr) parameters["version"] = document->version;
  outbox_.notify("textDocument/publishDiagnostics", std::move(parameters));
}

}  // namespace vramlint::lsp
