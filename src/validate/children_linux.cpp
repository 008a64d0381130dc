// SPDX-License-Identifier: MIT
#ifdef __linux__

#include "validate/children_linux.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace vramlint::validate {

std::vector<pid_t> own_children() {
  std::vector<pid_t> children;
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr) return children;
  while (const dirent* entry = ::readdir(folder)) {
    const pid_t process = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
    if (process <= 0) continue;
    const std::string path = "/proc/" + std::string(entry->d_name) + "/stat";
    FILE* file = std::fopen(path.c_str(), "re");
    if (file == nullptr) continue;
    char line[512] = "";
    const std::size_t got = std::fread(line, 1, sizeof line - 1, file);
    std::fclose(file);
    line[got] = '\0';
    const std::string text(line);
    const std::size_t name_end = text.rfind(')');  // the name may hold anything
    int parent = 0;
    char state = 0;
    if (name_end == std::string::npos ||
        std::sscanf(text.c_str() + name_end + 1, " %c %d", &state, &parent) != 2) {
      continue;
    }
    if (parent == ::getpid() && state != 'Z') children.push_back(process);
  }
  ::closedir(folder);
  return children;
}

void end_children_but(const std::vector<pid_t>& spared) {
  for (int round = 0; round < 250; ++round) {
    std::vector<pid_t> children = own_children();
    std::erase_if(children,
                  [&](pid_t each) { return std::ranges::find(spared, each) != spared.end(); });
    if (children.empty()) return;
    for (const pid_t each : children) ::kill(each, SIGKILL);
    ::poll(nullptr, 0, 20);
    for (const pid_t each : children) ::waitpid(each, nullptr, WNOHANG);
  }
}

}  // namespace vramlint::validate

#endif
