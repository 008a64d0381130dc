// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "support/result.h"

namespace vramlint::cli {

/// The lines that differ from a revision, committed or not, and all lines of files that git doesn't
/// know.
class ChangedLines {
 public:
  /// Whether a line of the finding has changed, or a line that brought it about: a write that comes
  /// too late since a call was added above it is new, though its own line is old.
  bool concern(const diagnostics::Diagnostic& finding) const;

  void add_file(const std::string& file) { add(file, 1, last_line); }
  /// Ranges of a file are added in their order.
  void add(const std::string& file, uint32_t first, uint32_t count);

 private:
  static constexpr uint32_t last_line = 0xfffffffe;

  bool hold(const std::string& file, const diagnostics::Range& range) const;

  /// First and last line, ascending, by file.
  std::map<std::string, std::vector<std::pair<uint32_t, uint32_t>>, std::less<>> ranges_;
};

/// What has changed in the working directory's repository since `revision` and the present state
/// went apart.
Result<ChangedLines> changed_since(const std::string& revision,
                                   const std::string& working_directory);

}  // namespace vramlint::cli
