// SPDX-License-Identifier: MIT
#include "lsp/initialize.h"

#include <optional>
#include <utility>

#include "config/layers.h"
#include "config/project_files.h"
#include "lsp/actions.h"
#include "lsp/completion.h"
#include "lsp/uri.h"
#include "vramlint_version.h"

namespace vramlint::lsp {

namespace {

/// Programs, which others may import, and baselines.
constexpr const char* watched_sources = "**/*.{py,pyi,pyw,ipynb,json}";

Json capabilities(const Client& client) {
  Json made = {
      {"positionEncoding", name_of(client.encoding)},
      {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
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

}  // namespace

Json initialize_result(const Client& client) {
  return {{"capabilities", capabilities(client)},
          {"serverInfo", {{"name", "vramlint"}, {"version", version}}}};
}

Json registrations(const Client& client) {
  Json made = Json::array();
  if (client.watches_files) {
    Json watchers = {{{"globPattern", watched_sources}}};
    for (const std::string& glob : config::watched_globs()) {
      watchers.push_back({{"globPattern", glob}});
    }
    made.push_back({{"id", "vramlint-files"},
                    {"method", "workspace/didChangeWatchedFiles"},
                    {"registerOptions", {{"watchers", std::move(watchers)}}}});
  }
  if (client.tells_of_settings) {
    made.push_back({{"id", "vramlint-settings"},
                    {"method", "workspace/didChangeConfiguration"},
                    {"registerOptions", {{"section", "vramlint"}}}});
  }
  return made;
}

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

}  // namespace vramlint::lsp
