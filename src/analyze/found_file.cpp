// SPDX-License-Identifier: MIT
#include "analyze/found_file.h"

#include "analyze/workspace.h"
#include "support/paths.h"

namespace vramlint {
namespace {

/// The folder of a name that goes up from one, and what is left of the name; nothing where it goes
/// up further than the working directory.
bool go_up(std::string& folder, std::string& name) {
  while (name.starts_with("../")) {
    if (folder.empty() || folder == "." || folder.starts_with("..")) return false;
    folder = parent_of(folder);
    name.erase(0, 3);
  }
  return true;
}

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
  for (std::string from : {folder, options.root}) {
    std::string name = without_dots(written);
    if (!go_up(from, name)) continue;
    const std::string path = from == "." || from.empty() ? name : from + "/" + name;
    if (workspace.files().is_file(path)) return path;
  }
  return {};
}

}  // namespace vramlint
