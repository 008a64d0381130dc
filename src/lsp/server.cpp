// SPDX-License-Identifier: MIT
#include "lsp/server.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "config/layers.h"
#include "lsp/actions.h"
#include "lsp/completion.h"
#include "lsp/editor_settings.h"
#include "lsp/findings.h"
#include "lsp/hover.h"
#include "lsp/uri.h"
#include "vramlint_version.h"

namespace vramlint::lsp {

namespace {

/// Numbers that `exit` and messages have in the protocol.
constexpr int error_message = 1;
constexpr int log_message = 4;

Refusal invalid(std::string what) { return {ErrorCode::invalid_params, std::move(what)}; }

/// Numbers of `CompletionItemKind`.
int item_kind(ProposalKind kind) {
  switch (kind) {
    case ProposalKind::key: return 10;       // a property
    case ProposalKind::value: return 12;     // a value
    case ProposalKind::variable: return 21;  // a constant
    case ProposalKind::rule: return 20;      // a member of a set
  }
  return 1;
}

Json capabilities(const Client& client) {
  Json made = {
      {"positionEncoding", name_of(client.encoding)},
      {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", false}}},
      {"notebookDocumentSync",
       {{"notebookSelector",
         {{{"notebook", {{"notebookType", "jupyter-notebook"}}},
           {"cells", {{{"language", "python"}}}}}}}}},
      {"codeActionProvider",
       {{"codeActionKinds", {quick_fix_kind, fix_all_kind, fix_notebook_kind}},
        {"resolveProvider", true}}},
      {"hoverProvider", true},
      {"completionProvider", {{"triggerCharacters", completion_triggers()}}},
      {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}},
  };
  if (client.pulls) {
    made["diagnosticProvider"] = {{"identifier", "vramlint"},
                                  {"interFileDependencies", true},
                                  {"workspaceDiagnostics", false}};
  }
  return made;
}

OpenedText opened_in(const Json& item) {
  const Json& version = member(item, "version");
  return {string_at(item, "uri"), string_at(item, "languageId"),
          version.is_number_integer() ? version.get<int64_t>() : 0, string_at(item, "text")};
}

std::vector<NotebookCell> cells_in(const Json& list) {
  static constexpr uint32_t code = 2;
  std::vector<NotebookCell> cells;
  for (const Json& each : list) {
    NotebookCell& cell = cells.emplace_back();
    cell.uri = string_at(each, "document");
    cell.is_code = number_in(member(each, "kind")).value_or(code) == code;
  }
  return cells;
}

/// Paths of the folders that a list of `WorkspaceFolder`s names.
std::vector<std::string> folders_in(const Json& list) {
  std::vector<std::string> folders;
  if (!list.is_array()) return folders;
  for (const Json& each : list) {
    const std::optional<std::string> path = path_of_uri(string_at(each, "uri"));
    if (path) folders.push_back(config::absolute_path(*path, "/"));
  }
  return folders;
}

std::vector<std::string> first_folders(const Json& parameters) {
  std::vector<std::string> folders = folders_in(member(parameters, "workspaceFolders"));
  if (!folders.empty()) return folders;
  // Older clients name one folder.
  std::optional<std::string> path = path_of_uri(string_at(parameters, "rootUri"));
  if (!path && string_at(parameters, "rootPath").starts_with('/')) {
    path = string_at(parameters, "rootPath");
  }
  if (path) folders.push_back(config::absolute_path(*path, "/"));
  return folders;
}

}  // namespace

Server::Server(const knowledge::Knowledge& knowledge, Send send)
    : knowledge_(knowledge), send_(std::move(send)), documents_(knowledge) {}

void Server::refuse(ErrorCode code, const std::string& why) {
  send_(error_response(Json(), {code, why}));
}

void Server::take(const Json& message, bool cancelled) {
  const Json& id = member(message, "id");
  const Json& method = member(message, "method");
  if (!method.is_string()) {
    const bool is_answer = message.is_object() && is_id(id) &&
                           (message.contains("result") || message.contains("error"));
    if (is_answer) return take_response(message);
    return refuse(ErrorCode::invalid_request, "this is neither a request nor a notification");
  }
  const std::string& name = method.get_ref<const std::string&>();
  const Json& parameters = member(message, "params");
  if (!message.contains("id")) return take_notification(name, parameters);
  if (!is_id(id)) return refuse(ErrorCode::invalid_request, "`id` is neither a number nor a text");
  if (cancelled) return send_(error_response(id, {ErrorCode::request_cancelled, "cancelled"}));
  take_request(id, name, parameters);
}

void Server::take_request(const Json& id, const std::string& method, const Json& parameters) {
  Answer given = Refusal{ErrorCode::internal_error, "no answer"};
  try {
    given = answer(method, parameters);
  } catch (const std::exception& problem) {
    // One request is lost, and not the texts that are open.
    given = Refusal{ErrorCode::internal_error, problem.what()};
  }
  if (Json* result = std::get_if<Json>(&given)) return send_(response(id, std::move(*result)));
  send_(error_response(id, std::get<Refusal>(given)));
}

Server::Answer Server::answer(const std::string& method, const Json& parameters) {
  if (method == "initialize") return initialize(parameters);
  if (phase_ == Phase::fresh) {
    return Refusal{ErrorCode::server_not_initialized, "`initialize` has to come first"};
  }
  if (phase_ == Phase::shut_down) {
    return Refusal{ErrorCode::invalid_request, "the server has been shut down"};
  }
  if (method == "shutdown") {
    phase_ = Phase::shut_down;
    return Json();
  }
  if (method == "textDocument/diagnostic") return diagnostics_of(parameters);
  if (method == "textDocument/codeAction") return code_actions(parameters);
  if (method == "codeAction/resolve") {
    return Actions(documents_, knowledge_, client_).resolved(parameters);
  }
  if (method == "textDocument/hover") return hover(parameters);
  if (method == "textDocument/completion") return completion(parameters);
  return Refusal{ErrorCode::method_not_found, "`" + method + "` is not known here"};
}

void Server::take_notification(const std::string& method, const Json& parameters) {
  if (method == "exit") {
    exit_status_ = phase_ == Phase::shut_down ? 0 : 1;
    return;
  }
  if (phase_ != Phase::running) return;
  try {
    if (method == "initialized") return initialized();
    if (method == "textDocument/didOpen") return did_open(parameters);
    if (method == "textDocument/didChange") return did_change(parameters);
    if (method == "textDocument/didClose") {
      return close_text(string_at(parameters, "textDocument.uri"));
    }
    if (method == "notebookDocument/didOpen") return did_open_notebook(parameters);
    if (method == "notebookDocument/didChange") return did_change_notebook(parameters);
    if (method == "notebookDocument/didClose") return did_close_notebook(parameters);
    if (method == "workspace/didChangeWatchedFiles") return did_change_files(parameters);
    if (method == "workspace/didChangeWorkspaceFolders") return did_change_folders(parameters);
    if (method == "workspace/didChangeConfiguration") {
      if (client_.gives_settings) return ask_for_settings();
      return take_settings(member_at(parameters, "settings.vramlint"));
    }
  } catch (const std::exception& problem) {
    log("`" + method + "` could not be done: " + problem.what());
  }
}

void Server::take_response(const Json& message) {
  const Json& id = member(message, "id");
  if (!id.is_number_integer() || settings_requests_.erase(id.get<int64_t>()) == 0) return;
  const Json& result = member(message, "result");
  if (result.is_array() && !result.empty()) take_settings(result.front());
}

Server::Answer Server::initialize(const Json& parameters) {
  if (phase_ != Phase::fresh) {
    return Refusal{ErrorCode::invalid_request, "`initialize` has come before"};
  }
  phase_ = Phase::running;
  client_ = client_of(parameters);
  const Json& process = member(parameters, "processId");
  if (process.is_number_integer()) client_process_ = process.get<int64_t>();
  documents_.set_folders(first_folders(parameters));
  const Json& options = member(parameters, "initializationOptions");
  if (options.is_object()) take_settings(options);
  return Json{{"capabilities", capabilities(client_)},
              {"serverInfo", {{"name", "vramlint"}, {"version", version}}}};
}

void Server::initialized() {
  watch_files();
  if (client_.gives_settings) ask_for_settings();
}

/// Sources, and whatever says how they are judged.
void Server::watch_files() {
  Json registrations = Json::array();
  if (client_.watches_files) {
    Json watchers = Json::array();
    for (const char* glob : {"**/*.{py,pyi,pyw,ipynb,toml,lock,txt,yaml,yml,cfg,json}",
                             "**/*{Dockerfile,Containerfile}*", "**/.python-version"}) {
      watchers.push_back({{"globPattern", glob}});
    }
    registrations.push_back({{"id", "vramlint-files"},
                             {"method", "workspace/didChangeWatchedFiles"},
                             {"registerOptions", {{"watchers", std::move(watchers)}}}});
  }
  if (client_.tells_of_settings) {
    registrations.push_back({{"id", "vramlint-settings"},
                             {"method", "workspace/didChangeConfiguration"},
                             {"registerOptions", {{"section", "vramlint"}}}});
  }
  if (registrations.empty()) return;
  send_request("client/registerCapability", {{"registrations", std::move(registrations)}});
}

void Server::ask_for_settings() {
  settings_requests_.insert(next_request_);
  send_request("workspace/configuration", {{"items", {{{"section", "vramlint"}}}}});
}

void Server::take_settings(const Json& settings) {
  Result<config::Settings> read = settings_in(settings);
  std::optional<Error> error;
  if (!read) {
    error = read.error();
  } else {
    error = config::check_rule_words(read.value(), knowledge_);
  }
  if (error) {
    return show_message(error_message, "vramlint: the editor's settings: " + error->message);
  }
  documents_.set_settings(std::move(read).value());
  is_due_ = must_refresh_ = true;
}

void Server::did_open(const Json& parameters) {
  const Json& document = member(parameters, "textDocument");
  const std::string uri = string_at(document, "uri");
  const Json& text = member(document, "text");
  if (uri.empty() || !text.is_string()) return log("`didOpen` names no text");
  documents_.open(opened_in(document));
  touch(uri);
}

void Server::did_change(const Json& parameters) {
  change_text(member(parameters, "textDocument"), member(parameters, "contentChanges"));
}

void Server::change_text(const Json& document, const Json& changes) {
  const std::string uri = string_at(document, "uri");
  const Document* known = documents_.find(uri);
  if (known == nullptr) return log("a text is changed that is not open: " + uri);
  std::vector<Change> made;
  for (const Json& each : changes) {
    const Json& text = member(each, "text");
    const Json& range = member(each, "range");
    Change change{range_in(range), text.is_string() ? text.get<std::string>() : ""};
    const bool is_whole = range.is_null();
    if (!text.is_string() || (!change.range && !is_whole)) {
      // To go on from a text that is not the editor's would be worse than to stop.
      show_message(error_message, "vramlint: a change of " + uri +
                                      " can't be understood; close "
                                      "the file and open it again");
      return;
    }
    made.push_back(std::move(change));
  }
  const Json& version = member(document, "version");
  documents_.change(uri, version.is_number_integer() ? version.get<int64_t>() : known->version,
                    made, client_.encoding);
  touch(uri);
}

void Server::close_text(const std::string& uri) {
  if (!documents_.close(uri)) return;
  pulled_.erase(uri);
  is_due_ = true;
}

void Server::did_change_folders(const Json& parameters) {
  std::vector<std::string> folders = documents_.folders();
  const std::vector<std::string> removed = folders_in(member_at(parameters, "event.removed"));
  std::erase_if(folders,
                [&](const std::string& folder) { return std::ranges::count(removed, folder) > 0; });
  for (std::string& added : folders_in(member_at(parameters, "event.added"))) {
    if (std::ranges::count(folders, added) == 0) folders.push_back(std::move(added));
  }
  documents_.set_folders(std::move(folders));
  is_due_ = must_refresh_ = true;
}

void Server::did_change_files(const Json& parameters) {
  for (const Json& change : member(parameters, "changes")) {
    const std::optional<std::string> path = documents_.path_of(string_at(change, "uri"));
    if (!path) continue;
    documents_.note_on_disk(*path);
    is_due_ = must_refresh_ = true;
  }
}

void Server::did_open_notebook(const Json& parameters) {
  const std::string uri = string_at(parameters, "notebookDocument.uri");
  if (uri.empty()) return log("`didOpen` names no notebook");
  documents_.open_notebook(uri, cells_in(member_at(parameters, "notebookDocument.cells")));
  open_cells(uri, member(parameters, "cellTextDocuments"));
  is_due_ = true;
}

void Server::open_cells(const std::string& notebook, const Json& texts) {
  for (const Json& each : texts) {
    OpenedText opened = opened_in(each);
    if (opened.uri.empty()) continue;
    touch(opened.uri);
    documents_.open_cell(notebook, std::move(opened));
  }
}

/// First the list of cells, then what they hold.
void Server::did_change_notebook(const Json& parameters) {
  const std::string uri = string_at(parameters, "notebookDocument.uri");
  const Json& cells = member_at(parameters, "change.cells");
  const Json& structure = member(cells, "structure");
  const Json& array = member(structure, "array");
  if (array.is_object()) {
    const std::optional<uint32_t> start = number_in(member(array, "start"));
    const std::optional<uint32_t> count = number_in(member(array, "deleteCount"));
    const bool is_known =
        start && count &&
        documents_.replace_cells(uri, *start, *count, cells_in(member(array, "cells")));
    if (!is_known) return log("a notebook is changed that is not open: " + uri);
  }
  for (const Json& each : member(structure, "didClose")) close_text(string_at(each, "uri"));
  open_cells(uri, member(structure, "didOpen"));
  for (const Json& each : member(cells, "textContent")) {
    change_text(member(each, "document"), member(each, "changes"));
  }
  is_due_ = true;
}

void Server::did_close_notebook(const Json& parameters) {
  for (const Json& each : member(parameters, "cellTextDocuments")) {
    pulled_.erase(string_at(each, "uri"));
  }
  documents_.close_notebook(string_at(parameters, "notebookDocument.uri"));
  is_due_ = true;
}

Server::Answer Server::diagnostics_of(const Json& parameters) {
  const std::string uri = string_at(parameters, "textDocument.uri");
  const Document* document = documents_.find(uri);
  if (document == nullptr) return invalid("no such text is open: " + uri);
  std::map<std::string, Json> by_uri = all_diagnostics(documents_, client_);
  const auto found = by_uri.find(uri);
  Json items = found == by_uri.end() ? Json::array() : std::move(found->second);
  if (published_.contains(uri)) is_due_ = true;  // what was sent before it asked has to go
  auto& [name, last, is_left_behind] = pulled_[uri];
  is_left_behind = false;
  const bool is_same = !name.empty() && last == items;
  if (is_same && string_at(parameters, "previousResultId") == name) {
    return Json{{"kind", "unchanged"}, {"resultId", name}};
  }
  if (!is_same) {
    name = std::to_string(next_result_++);
    last = items;
  }
  return Json{{"kind", "full"}, {"resultId", name}, {"items", std::move(items)}};
}

Server::Answer Server::code_actions(const Json& parameters) {
  const std::string uri = string_at(parameters, "textDocument.uri");
  const Document* document = documents_.find(uri);
  if (document == nullptr) return invalid("no such text is open: " + uri);
  const std::optional<Range> range = range_in(member(parameters, "range"));
  if (!range) return invalid("`range` is none");
  return Actions(documents_, knowledge_, client_)
      .in_range(*document, *range, member_at(parameters, "context.only"));
}

Server::Answer Server::hover(const Json& parameters) {
  const Document* document = documents_.find(string_at(parameters, "textDocument.uri"));
  const std::optional<Position> position = position_in(member(parameters, "position"));
  if (document == nullptr || !position) return invalid("no open text or no position is named");
  const text::Source& source = *document->source;
  const knowledge::Target& target = documents_.root_of(*document).project_of(document->path).target;
  const std::optional<Hover> found =
      hover_at(source, offset_at(source, *position, client_.encoding), target, knowledge_);
  if (!found) return Json();
  const char* kind = client_.reads_markdown ? "markdown" : "plaintext";
  return Json{{"contents", {{"kind", kind}, {"value", found->markdown}}},
              {"range", json_of(range_of(source, found->span, client_.encoding))}};
}

Server::Answer Server::completion(const Json& parameters) {
  const Document* document = documents_.find(string_at(parameters, "textDocument.uri"));
  const std::optional<Position> position = position_in(member(parameters, "position"));
  if (document == nullptr || !position) return invalid("no open text or no position is named");
  const text::Source& source = *document->source;
  const knowledge::Target& target = documents_.root_of(*document).project_of(document->path).target;
  const Proposals proposals =
      proposals_at(source, offset_at(source, *position, client_.encoding), target, knowledge_);
  const Json range = json_of(range_of(source, proposals.span, client_.encoding));
  Json items = Json::array();
  for (const Proposal& each : proposals.list) {
    Json item = {{"label", each.label},
                 {"kind", item_kind(each.kind)},
                 {"textEdit", {{"range", range}, {"newText", each.text}}}};
    if (!each.detail.empty()) item["detail"] = each.detail;
    if (!each.markdown.empty()) {
      item["documentation"] = {{"kind", "markdown"}, {"value", each.markdown}};
    }
    items.push_back(std::move(item));
  }
  return Json{{"isIncomplete", false}, {"items", std::move(items)}};
}

/// What is not open or shows nothing gets no findings; the client forgets what it had.
void Server::publish(const std::string& uri, const Json& items) {
  const Document* document = documents_.find(uri);
  Json parameters = {{"uri", uri}, {"diagnostics", items}};
  if (document != nullptr) parameters["version"] = document->version;
  send_(notification("textDocument/publishDiagnostics", std::move(parameters)));
}

void Server::show_configuration_errors(std::map<std::string, Json>& by_uri) {
  for (Root* root : documents_.roots()) {
    const std::optional<Error> error = root->configuration_error();
    if (!error) continue;
    const std::string where = error->path.empty() ? "" : error->path + ": ";
    if (said_.insert(where + error->message).second) {
      show_message(error_message, "vramlint: " + where + error->message);
    }
    if (error->path.empty()) continue;
    by_uri.try_emplace(documents_.uri_of(root->absolute(error->path)), Json::array())
        .first->second.push_back(diagnostic_json(*error));
  }
}

/// Whether the client asks for the findings of a text by itself. Files that are not open have
/// nobody to ask for them, and many clients that do ask never do it for cells of notebooks.
bool Server::is_asked_for(const std::string& uri) const {
  const Document* document = documents_.find(uri);
  if (!client_.pulls || document == nullptr) return false;
  return document->notebook.empty() || pulled_.contains(uri);
}

/// An edit of one text may change what is found in another, which its client need not know.
void Server::note_old_answers(const std::map<std::string, Json>& by_uri) {
  static const Json nothing = Json::array();
  for (auto& [uri, answer] : pulled_) {
    if (answer.is_left_behind) continue;
    const auto found = by_uri.find(uri);
    answer.is_left_behind = answer.items != (found == by_uri.end() ? nothing : found->second);
    must_refresh_ |= answer.is_left_behind;
  }
}

void Server::touch(const std::string& uri) {
  touched_.insert(uri);
  const auto pulled = pulled_.find(uri);
  if (pulled != pulled_.end()) pulled->second.is_left_behind = true;
  is_due_ = true;
}

void Server::settle() {
  if (!is_due_ || phase_ != Phase::running) return;
  is_due_ = false;
  std::map<std::string, Json> by_uri;
  try {
    by_uri = all_diagnostics(documents_, client_);
    note_old_answers(by_uri);
  } catch (const std::exception& problem) {
    log(std::string("the open texts could not be checked: ") + problem.what());
  }
  if (client_.pulls) {
    std::erase_if(by_uri, [&](const auto& entry) { return is_asked_for(entry.first); });
  }
  show_configuration_errors(by_uri);
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
  if (std::exchange(must_refresh_, false) && client_.pulls && client_.refreshes) {
    send_request("workspace/diagnostic/refresh", Json());
  }
}

void Server::send_request(std::string_view method, Json parameters) {
  send_(request(next_request_++, method, std::move(parameters)));
}

void Server::show_message(int type, const std::string& text) {
  send_(notification("window/showMessage", {{"type", type}, {"message", text}}));
}

void Server::log(const std::string& text) {
  send_(notification("window/logMessage", {{"type", log_message}, {"message", text}}));
}

}  // namespace vramlint::lsp
