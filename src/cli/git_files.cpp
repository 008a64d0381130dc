// SPDX-License-Identifier: MIT
// Asks git itself what it ignores, so that the answer is git's in every corner. Runs nothing that
// the repository names: the one setting with which `ls-files` would start a program is switched
// off.
#include "cli/git_files.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

extern char** environ;

namespace vramlint::cli {

namespace {

/// Spares starting git for a folder outside any repository.
bool in_work_tree(const std::string& folder) {
  std::error_code failed;
  std::filesystem::path at = std::filesystem::absolute(folder, failed).lexically_normal();
  while (!failed) {
    struct stat status {};
    if (::stat((at / ".git").c_str(), &status) == 0) return true;
    const std::filesystem::path parent = at.parent_path();
    if (parent == at || parent.empty()) return false;
    at = parent;
  }
  return false;
}

/// The environment without git's own variables: in a hook they speak of another folder.
std::vector<char*> environment_without_git() {
  std::vector<char*> kept;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "GIT_", 4) != 0) kept.push_back(*variable);
  }
  kept.push_back(nullptr);
  return kept;
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

/// What the program writes; nothing when it can't be started or fails.
std::optional<std::string> output_of(std::vector<std::string> arguments) {
  std::array<int, 2> pipe_ends{};
  if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::vector<char*> environment = environment_without_git();
  pid_t child = 0;
  const int failed =
      ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe_ends[1]);
  std::string text = failed == 0 ? read_all(pipe_ends[0]) : "";
  ::close(pipe_ends[0]);
  if (failed != 0) return std::nullopt;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

}  // namespace

std::optional<std::vector<std::string>> git_files(const std::string& folder) {
  if (!in_work_tree(folder)) return std::nullopt;
  const std::optional<std::string> listing =
      output_of({"git", "-C", folder, "-c", "core.fsmonitor=false", "ls-files", "--cached",
                 "--others", "--exclude-standard", "-z"});
  if (!listing) return std::nullopt;
  const bool nothing = listing->empty();
  if (nothing && output_of({"git", "-C", folder, "check-ignore", "-q", "."})) return std::nullopt;
  std::vector<std::string> files;
  std::string_view rest = *listing;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    files.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return files;
}

}  // namespace vramlint::cli
