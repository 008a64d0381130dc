// SPDX-License-Identifier: MIT
#include "lsp/client.h"

#include <string>

namespace vramlint::lsp {

namespace {

/// The first encoding in the client's order that is known here.
Encoding encoding_of(const Json& parameters) {
  for (const Json& each : member_at(parameters, "capabilities.general.positionEncodings")) {
    if (!each.is_string()) continue;
    const std::optional<Encoding> known = parse_encoding(each.get_ref<const std::string&>());
    if (known) return *known;
  }
  return Encoding::utf16;
}

bool holds_text(const Json& list, std::string_view wanted) {
  if (!list.is_array()) return false;
  for (const Json& each : list) {
    if (each.is_string() && each.get_ref<const std::string&>() == wanted) return true;
  }
  return false;
}

}  // namespace

Client client_of(const Json& parameters) {
  const Json& workspace = member_at(parameters, "capabilities.workspace");
  const Json& document = member_at(parameters, "capabilities.textDocument");
  Client client;
  client.encoding = encoding_of(parameters);
  client.pulls = member(document, "diagnostic").is_object();
  client.refreshes = flag_at(workspace, "diagnostics.refreshSupport");
  client.shows_related = flag_at(document, "publishDiagnostics.relatedInformation") ||
                         flag_at(document, "diagnostic.relatedInformation");
  client.versions_edits = flag_at(workspace, "workspaceEdit.documentChanges");
  client.takes_actions = member_at(document, "codeAction.codeActionLiteralSupport").is_object();
  client.resolves_edits =
      holds_text(member_at(document, "codeAction.resolveSupport.properties"), "edit") &&
      flag_at(document, "codeAction.dataSupport");
  client.hover_markup = markup_in(member_at(document, "hover.contentFormat"));
  client.completion_markup =
      markup_in(member_at(document, "completion.completionItem.documentationFormat"));
  client.watches_files = flag_at(workspace, "didChangeWatchedFiles.dynamicRegistration");
  client.gives_settings = flag_at(workspace, "configuration");
  client.tells_of_settings = flag_at(workspace, "didChangeConfiguration.dynamicRegistration");
  return client;
}

}  // namespace vramlint::lsp
