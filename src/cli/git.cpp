// SPDX-License-Identifier: MIT
#include "cli/git.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace vramlint::cli {

namespace {

/// Our environment without git's own variables: in a hook they speak of another folder.
std::vector<std::string> environment_for_git() {
  std::vector<std::string> kept{"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0"};
  for (std::string& variable : own_environment()) {
    const bool left_out = variable.starts_with("GIT_") || variable.starts_with("LC_ALL=");
    if (!left_out) kept.push_back(std::move(variable));
  }
  return kept;
}

}  // namespace

ProgramAnswer ask_git(const std::string& folder, std::vector<std::string> arguments) {
  std::vector<std::string> words{"git", "--no-pager",           "-C", folder,
                                 "-c",  "core.fsmonitor=false", "-c", "core.quotePath=false"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_program(std::move(words), environment_for_git());
}

std::vector<std::string_view> nul_separated(std::string_view text) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pieces;
}

bool in_work_tree(const std::string& folder) {
  std::error_code failed;
  std::filesystem::path at = std::filesystem::absolute(folder, failed).lexically_normal();
  while (!failed) {
    struct stat status {};
    if (::stat((at / ".git").string().c_str(), &status) == 0) return true;
    const std::filesystem::path parent = at.parent_path();
    if (parent == at || parent.empty()) return false;
    at = parent;
  }
  return false;
}

}  // namespace vramlint::cli
