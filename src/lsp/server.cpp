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
#include "lsp/initialize.h"

namespace vramlint::lsp {

namespace {

Refusal invalid(std::string what) { return {ErrorCode::invalid_params, std::move(what)}; }

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

}  // namespace

Server::Server(const knowledge::Knowledge& knowledge, Outbox::Send send)
    : knowledge_(knowledge),
      outbox_(std::move(send)),
      documents_(knowledge),
      publisher_(documents_, client_, outbox_) {}

void Server::refuse(ErrorCode code, const std::string& why) {
  outbox_.send(error_response(Json(), {code, why}));
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
  if (cancelled)
    return outbox_.send(error_response(id, {ErrorCode::request_cancelled, "cancelled"}));
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
  if (Json* result = std::get_if<Json>(&given))
    return outbox_.send(response(id, std::move(*result)));
  outbox_.send(error_response(id, std::get<Refusal>(given)));
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
    if (method == "textDocument/didSave") return did_save();
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
    outbox_.log("`" + method + "` could not be done: " + problem.what());
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
  return initialize_result(client_);
}

void Server::initialized() {
  Json wanted = registrations(client_);
  if (!wanted.empty()) {
    outbox_.request("client/registerCapability", {{"registrations", std::move(wanted)}});
  }
  if (client_.gives_settings) ask_for_settings();
}

void Server::ask_for_settings() {
  settings_requests_.insert(
      outbox_.request("workspace/configuration", {{"items", {{{"section", "vramlint"}}}}}));
}

void Server::take_settings(const Json& settings) {
  Result<config::Settings> read = settings_in(settings);
  std::optional<Error> error;
  if (!read) {
    error = read.error();
  } else {
    error = config::check_rule_words(read.value(), knowledge_);
  }
  if (error) return outbox_.show_error("vramlint: the editor's settings: " + text_of(*error));
  documents_.set_settings(std::move(read).value());
  publisher_.note_change();
}

void Server::did_open(const Json& parameters) {
  const Json& document = member(parameters, "textDocument");
  const std::string uri = string_at(document, "uri");
  const Json& text = member(document, "text");
  if (uri.empty() || !text.is_string()) return outbox_.log("`didOpen` names no text");
  documents_.open(opened_in(document));
  publisher_.touch(uri);
}

void Server::did_change(const Json& parameters) {
  change_text(member(parameters, "textDocument"), member(parameters, "contentChanges"));
}

void Server::change_text(const Json& document, const Json& changes) {
  const std::string uri = string_at(document, "uri");
  const Document* known = documents_.find(uri);
  if (known == nullptr) return outbox_.log("a text is changed that is not open: " + uri);
  std::vector<Change> made;
  for (const Json& each : changes) {
    const Json& text = member(each, "text");
    const Json& range = member(each, "range");
    Change change{range_in(range), text.is_string() ? text.get<std::string>() : ""};
    const bool is_whole = range.is_null();
    if (!text.is_string() || (!change.range && !is_whole)) {
      // To go on from a text that is not the editor's would be worse than to stop.
      return outbox_.show_error("vramlint: a change of " + uri +
                                " can't be understood; close the file and open it again");
    }
    made.push_back(std::move(change));
  }
  const Json& version = member(document, "version");
  documents_.change(uri, version.is_number_integer() ? version.get<int64_t>() : known->version,
                    made, client_.encoding);
  publisher_.touch(uri);
}

/// Whoever saves may have changed other files before. A client that watches files has told of them.
void Server::did_save() {
  if (client_.watches_files) return;
  documents_.reload();
  publisher_.note_change();
}

void Server::close_text(const std::string& uri) {
  if (documents_.close(uri)) publisher_.close(uri);
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
  publisher_.note_change();
}

void Server::did_change_files(const Json& parameters) {
  for (const Json& change : member(parameters, "changes")) {
    const std::optional<std::string> path = documents_.path_of(string_at(change, "uri"));
    if (!path) continue;
    documents_.note_on_disk(*path);
    publisher_.note_change();
  }
}

void Server::did_open_notebook(const Json& parameters) {
  const std::string uri = string_at(parameters, "notebookDocument.uri");
  if (uri.empty()) return outbox_.log("`didOpen` names no notebook");
  documents_.open_notebook(uri, cells_in(member_at(parameters, "notebookDocument.cells")));
  open_cells(uri, member(parameters, "cellTextDocuments"));
  publisher_.note_change();
}

void Server::open_cells(const std::string& notebook, const Json& texts) {
  for (const Json& each : texts) {
    OpenedText opened = opened_in(each);
    if (opened.uri.empty()) continue;
    publisher_.touch(opened.uri);
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
    if (!is_known) return outbox_.log("a notebook is changed that is not open: " + uri);
  }
  for (const Json& each : member(structure, "didClose")) close_text(string_at(each, "uri"));
  open_cells(uri, member(structure, "didOpen"));
  for (const NotebookCell& cell : cells_in(member(cells, "data"))) {
    documents_.set_cell_kind(uri, cell.uri, cell.is_code);
  }
  for (const Json& each : member(cells, "textContent")) {
    change_text(member(each, "document"), member(each, "changes"));
  }
  publisher_.note_change();
}

void Server::did_close_notebook(const Json& parameters) {
  for (const Json& each : member(parameters, "cellTextDocuments")) {
    publisher_.close(string_at(each, "uri"));
  }
  documents_.close_notebook(string_at(parameters, "notebookDocument.uri"));
  publisher_.note_change();
}

Server::Answer Server::diagnostics_of(const Json& parameters) {
  const std::string uri = string_at(parameters, "textDocument.uri");
  if (documents_.find(uri) == nullptr) return invalid("no such text is open: " + uri);
  return publisher_.report_on(uri, string_at(parameters, "previousResultId"));
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
  const std::optional<Spot> spot = spot_in(parameters);
  if (!spot) return invalid("no open text or no position is named");
  const Markup markup = client_.hover_markup;
  const std::optional<Hover> found =
      hover_at(*spot->source, spot->offset, spot->target, knowledge_, markup);
  return found ? hover_json(*found, *spot->source, client_) : Json();
}

Server::Answer Server::completion(const Json& parameters) {
  const std::optional<Spot> spot = spot_in(parameters);
  if (!spot) return invalid("no open text or no position is named");
  const Markup markup = client_.completion_markup;
  const Proposals proposals =
      proposals_at(*spot->source, spot->offset, spot->target, knowledge_, markup);
  return completion_json(proposals, *spot->source, client_);
}

/// The one that a request is about.
std::optional<Server::Spot> Server::spot_in(const Json& parameters) {
  const Document* document = documents_.find(string_at(parameters, "textDocument.uri"));
  const std::optional<Position> position = position_in(member(parameters, "position"));
  if (document == nullptr || !position) return std::nullopt;
  Root& root = documents_.root_of(*document);
  return Spot{document->source, offset_at(*document->source, *position, client_.encoding),
              root.project_of(document->path).target};
}

void Server::settle() {
  if (phase_ == Phase::running) publisher_.settle();
}

}  // namespace vramlint::lsp
