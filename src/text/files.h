// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/result.h"
#include "text/source.h"

namespace vramlint::text {

/// The world outside as the analyzer sees it: files by path, nothing else. The command line backs
/// it with the disk, the language server with its buffers on top of that, tests with a map. Paths
/// are as the user wrote them or joined to such a path with `/`.
class Files {
 public:
  virtual ~Files() = default;

  virtual bool is_file(const std::string& path) const = 0;
  virtual bool is_folder(const std::string& path) const = 0;
  /// Names of what lies directly in a folder, in order; none where nobody can list it.
  virtual std::vector<std::string> names_in(const std::string&) const { return {}; }
  /// The same path gives the same object for as long as this object lives. Safe to call from
  /// several threads.
  virtual Result<std::shared_ptr<const Source>> open(const std::string& path) = 0;
};

/// The same for a folder on the disk.
std::vector<std::string> names_in_folder(const std::string& folder);

}  // namespace vramlint::text
