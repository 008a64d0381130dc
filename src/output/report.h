// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "knowledge/rows.h"
#include "text/source.h"

namespace vramlint::output {

/// For what the files were judged, as it is shown.
struct TargetText {
  std::string torch = "any";
  std::string python = "any";
  std::string platform = "linux";

  bool operator==(const TargetText&) const = default;
};

/// What a run has to say: everything that a format may show. Already filtered and in order; a
/// format leaves out what it has no place for and computes nothing.
struct Report {
  std::string tool_version;
  TargetText target;
  std::size_t files = 0;  ///< linted, with or without findings
  std::vector<diagnostics::Diagnostic> diagnostics;
  std::optional<std::size_t>
      fixed;  ///< findings that fixes have done away with; unset without fixing
  bool with_unsafe_fixes = false;  ///< whether unsafe fixes count among those that can be made
  std::vector<diagnostics::FileError> errors;
  bool baseline_refused = false;                  ///< it lists what is found no more, and must not
  std::vector<const knowledge::RulePage*> rules;  ///< that have findings, by code
  /// Texts that findings and their related places stand in, by path.
  std::map<std::string, std::shared_ptr<const text::Source>, std::less<>> sources;
};

}  // namespace vramlint::output
