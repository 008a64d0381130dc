// SPDX-License-Identifier: MIT
#pragma once

#include "lsp/markup.h"
#include "lsp/positions.h"
#include "lsp/protocol.h"

namespace vramlint::lsp {

/// What the client has said that it can do, as far as it makes a difference.
struct Client {
  Encoding encoding = Encoding::utf16;
  bool pulls = false;              ///< asks for diagnostics; else they are sent
  bool refreshes = false;          ///< asks again for diagnostics when told to
  bool shows_related = false;      ///< a diagnostic may point to other places
  bool versions_edits = false;     ///< edits say which version of a text they are for
  bool takes_actions = false;      ///< code actions, and not only commands
  bool resolves_edits = false;     ///< asks for an action's edit once it is chosen
  bool watches_files = false;      ///< when it is asked to
  bool gives_settings = false;     ///< when it is asked for them
  bool tells_of_settings = false;  ///< when they change, if it is asked to
  Markup hover_markup = Markup::plain;
  Markup completion_markup = Markup::plain;  ///< of what is said about a proposal
};

/// From the parameters of `initialize`.
Client client_of(const Json& parameters);

}  // namespace vramlint::lsp
