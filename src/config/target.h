// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "config/inference.h"
#include "config/settings.h"
#include "knowledge/knowledge.h"
#include "knowledge/target.h"
#include "support/result.h"

namespace vramlint::config {

/// Where each part of a target comes from, for people: `uv.lock:2191`, `command line`.
struct Origins {
  std::string torch;
  std::string python;
  std::string platform;
};

struct ResolvedTarget {
  knowledge::Target target;
  Origins origins;
};

/// The command line first, then the configuration, then the files of the project, then what holds
/// for a project that says nothing.
Result<ResolvedTarget> resolve_target(const Settings& command_line, const Settings& configuration,
                                      const Inferred& inferred,
                                      const knowledge::Knowledge& knowledge);

/// `3.12`, several with commas, or a range as `releases_named` takes it.
Result<std::vector<knowledge::Version>> python_versions(const std::string& text,
                                                        const knowledge::Knowledge& knowledge);

}  // namespace vramlint::config
