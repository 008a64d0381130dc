// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontends/project.h"
#include "knowledge/knowledge.h"
#include "knowledge/target.h"
#include "replay/timeline.h"

namespace vramlint::replay {

struct ReplayRequest {
  std::string entry;
  std::string root;  ///< folder of the project, for imports
  /// Dotted names of the calls that are to be observed; a trailing `*` stands for any rest.
  std::vector<std::string_view> observed_calls;
  knowledge::Version torch;  ///< whose calls bring what
  /// Whether a process started by `multiprocessing` without further words is a fork.
  bool forks_by_default = true;
};

/// What happens when the entry runs, in the order in which it happens.
Timeline replay(frontends::Project& project, const knowledge::Knowledge& knowledge,
                const ReplayRequest& request);

}  // namespace vramlint::replay
