// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "lsp/client.h"
#include "lsp/protocol.h"

// What client and server tell each other about themselves before anything else.

namespace vramlint::lsp {

/// The result of `initialize`.
Json initialize_result(const Client& client);

/// What the server wants to be told of: changed files and settings, as far as the client offers it.
/// An array of `Registration`s.
Json registrations(const Client& client);

/// Paths of the folders that a list of `WorkspaceFolder`s names.
std::vector<std::string> folders_in(const Json& list);
/// Those that the parameters of `initialize` name, in the ways of newer and older clients.
std::vector<std::string> first_folders(const Json& parameters);

}  // namespace vramlint::lsp
