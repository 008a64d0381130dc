// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "settings/allocator_string.h"

namespace vramlint::settings {

/// A problem with the releases that have it.
struct ReleasesProblem {
  Problem problem;       ///< severity as it stands for all releases together
  std::string releases;  ///< `2.4 to 2.9`
  bool all = false;      ///< every release asked about has it
};

/// What several releases make of one string.
struct ReleasesReading {
  std::vector<knowledge::Version> accepted_by;
  std::vector<knowledge::Version> refused_by;
  std::optional<FailsAt> fails_at;        ///< the earliest moment among those that refuse it
  std::vector<ReleasesProblem> problems;  ///< in the order of the string
  AllocatorReading newest;                ///< the reading of the last release asked about
};

/// Asks each release, oldest first. An error stays one where all releases refuse the string; what
/// some of them take is at most a warning that names the others.
ReleasesReading read_for_releases(std::string_view string,
                                  std::span<const knowledge::Version> releases,
                                  const knowledge::AllocatorTables& tables,
                                  knowledge::Platform platform);

/// `2.4, 2.6 to 2.9`: the chosen ones, with neighbours in `releases` drawn together.
std::string releases_text(std::span<const knowledge::Version> chosen,
                          std::span<const knowledge::Version> releases);

}  // namespace vramlint::settings
