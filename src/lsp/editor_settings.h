// SPDX-License-Identifier: MIT
#pragma once

#include "config/settings.h"
#include "lsp/protocol.h"
#include "support/result.h"

namespace vramlint::lsp {

/// What the editor's own settings say, under the names that configuration files have, written with
/// dashes or as `extendSelect`. Other members of the object are the client's own.
Result<config::Settings> settings_in(const Json& object);

}  // namespace vramlint::lsp
