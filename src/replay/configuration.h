// SPDX-License-Identifier: MIT
#pragma once

#include "model/configuration.h"
#include "model/names.h"
#include "replay/timeline.h"

namespace vramlint::replay {

/// A configuration as the same observations that its dictionaries are in Python: each object a call
/// of `{}.KEY` with its members as arguments. The names in it live as long as `names`.
Timeline replay_configuration(const model::Configuration& configuration, model::Names& names);

}  // namespace vramlint::replay
