// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/settings.h"
#include "knowledge/knowledge.h"
#include "knowledge/target.h"
#include "support/result.h"

namespace vramlint::config {

/// The releases of torch that the files of a project state.
struct TorchPin {
  std::vector<knowledge::Version> versions;
  std::string text;  ///< as stated: `2.9.1`, `>=2.4,<3`
};

/// The union of what the specifiers name. Those that nobody could mean are passed over: a project's
/// files are not ours to criticise.
std::optional<TorchPin> pin_of(const std::vector<std::string>& specifiers,
                               const knowledge::Knowledge& knowledge);

/// Settings first, then the pin, then what holds for a project that says nothing.
Result<knowledge::Target> resolve_target(const Settings& settings,
                                         const std::optional<TorchPin>& pin,
                                         const knowledge::Knowledge& knowledge);

}  // namespace vramlint::config
