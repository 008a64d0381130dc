// SPDX-License-Identifier: MIT
// What POSIX systems, and Linux in particular, grant. Everything is tried or read; nothing is left
// changed.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "validate/machine.h"

#ifndef _WIN32
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#endif
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace vramlint::validate {

namespace {

namespace fs = std::filesystem;

std::string text_of(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool exists(const char* path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

std::string container_name() {
  if (exists("/.dockerenv")) return "docker";
  if (exists("/run/.containerenv")) return "podman";
  if (std::getenv("KUBERNETES_SERVICE_HOST") != nullptr) return "kubernetes";
  if (std::getenv("APPTAINER_CONTAINER") != nullptr) return "apptainer";
  if (std::getenv("SINGULARITY_CONTAINER") != nullptr) return "singularity";
  const std::string groups = text_of("/proc/1/cgroup");
  for (const char* name : {"docker", "kubepods", "containerd", "lxc"}) {
    if (groups.find(name) != std::string::npos) return name;
  }
  return {};
}

#ifndef _WIN32

std::optional<SharedMemoryPlace> shared_memory() {
  struct statvfs status {};
  if (::statvfs("/dev/shm", &status) != 0) return std::nullopt;
  const uint64_t block = status.f_frsize;
  return SharedMemoryPlace{"/dev/shm", status.f_blocks * block, status.f_bavail * block};
}

template <typename Resource>  // an enum in glibc, a number elsewhere
std::optional<rlimit> limit_of(Resource resource) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return std::nullopt;
  return limit;
}

uint64_t number_of(rlim_t limit) { return limit == RLIM_INFINITY ? UINT64_MAX : limit; }

#endif

#ifdef __linux__

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

/// As PyTorch does with expandable segments: a descriptor of another process is copied, here the
/// standard input of a child that waits for it.
void try_descriptors(System& system) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) return;
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[1]);
    char byte = 0;
    [[maybe_unused]] const ssize_t got = ::read(ends[0], &byte, 1);
    ::_exit(0);
  }
  ::close(ends[0]);
  if (child > 0) {
    const long process = ::syscall(SYS_pidfd_open, child, 0);
    long taken = -1;
    int error = errno;
    if (process >= 0) {
      taken = ::syscall(SYS_pidfd_getfd, process, ends[0], 0);
      error = errno;
    }
    system.takes_descriptors = taken >= 0;
    if (taken < 0) {
      system.descriptors_problem =
          std::string(process < 0 ? "pidfd_open: " : "pidfd_getfd: ") + std::strerror(error);
    }
    if (taken >= 0) ::close(static_cast<int>(taken));
    if (process >= 0) ::close(static_cast<int>(process));
  }
  ::close(ends[1]);
  if (child > 0) ::waitpid(child, nullptr, 0);
}

#endif

}  // namespace

System look_at_system() {
  System system;
#ifdef _WIN32
  system.name = "Windows";
#else
  utsname name{};
  if (::uname(&name) == 0) {
    system.name = std::string(name.sysname) + " " + name.release + " " + name.machine;
  }
  system.shared_memory = shared_memory();
  if (const std::optional<rlimit> files = limit_of(RLIMIT_NOFILE)) {
    system.descriptors = number_of(files->rlim_cur);
    system.most_descriptors = number_of(files->rlim_max);
  }
  if (const std::optional<rlimit> locked = limit_of(RLIMIT_MEMLOCK)) {
    system.locked_bytes = number_of(locked->rlim_cur);
  }
#endif
#ifdef __linux__
  const std::string kernel = text_of("/proc/version");
  system.is_wsl = kernel.find("microsoft") != std::string::npos ||
                  kernel.find("Microsoft") != std::string::npos;
  system.container = container_name();
  try_descriptors(system);
#endif
  return system;
}

}  // namespace vramlint::validate
