// SPDX-License-Identifier: MIT
#include "analyze/found_file.h"

#include "analyze/workspace.h"

namespace vramlint {
namespace {

/// `./src/./train.py` as `src/train.py`.
std::string without_dots(std::string name) {
  for (size_t at = name.find("./"); at != std::string::npos; at = name.find("./", at)) {
    const bool begins = at == 0 || name[at - 1] == '/';
    if (begins) {
      name.erase(at, 2);
    } else {
      at += 2;
    }
  }
  return name;
}

}  // namespace

std::string found_near(const std::string& written, const std::string& folder,
                       const Workspace& workspace, const AnalyzeOptions& options) {
  const std::string name = without_dots(written);
  for (const std::string& from : {folder, options.root}) {
    const std::string path = from == "." || from.empty() ? name : from + "/" + name;
    if (workspace.files().is_file(path)) return path;
  }
  return {};
}

}  // namespace vramlint
