// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "config/projects.h"
#include "diagnostics/diagnostic.h"
#include "knowledge/knowledge.h"
#include "rules/interest.h"

namespace vramlint::lint {

/// What has to be looked for in the files of a project: rules that are on, and of them only
/// findings that are shown or decide the exit status. Where unused suppressions are reported,
/// everything that a suppression could speak of.
rules::Interest interest_of(const config::Project& project,
                            std::optional<diagnostics::Severity> fail_level,
                            const knowledge::Knowledge& knowledge);

}  // namespace vramlint::lint
