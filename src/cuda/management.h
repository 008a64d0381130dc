// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cuda/shared_library.h"

namespace vramlint::cuda {

/// Memory of a device as the management library counts it, all programs together.
struct DeviceMemory {
  uint64_t total = 0;
  uint64_t used = 0;
};

/// NVIDIA's management library. It speaks of all devices of the machine, in the order of the bus,
/// and neither starts the CUDA driver nor takes memory.
class Management {
 public:
  /// An object that says nothing where there is no such library.
  static Management open();

  explicit operator bool() const { return started_; }
  const std::string& problem() const { return problem_; }

  std::string driver_version() const;
  unsigned count() const;
  std::string name(unsigned device) const;
  std::string uuid(unsigned device) const;
  /// Sparing: it is asked many times a second.
  std::optional<DeviceMemory> memory(unsigned device) const;
  /// Programs that compute on the device; nothing where the machine does not tell.
  std::optional<unsigned> programs(unsigned device) const;

 private:
  struct Functions {
    int (*init)() = nullptr;
    int (*driver_version)(char*, unsigned) = nullptr;
    int (*count)(unsigned*) = nullptr;
    int (*handle)(unsigned, void**) = nullptr;
    int (*name)(void*, char*, unsigned) = nullptr;
    int (*uuid)(void*, char*, unsigned) = nullptr;
    int (*memory)(void*, void*) = nullptr;
    int (*programs)(void*, unsigned*, void*) = nullptr;
    const char* (*error)(int) = nullptr;
  };

  SharedLibrary library_;
  Functions functions_;
  std::vector<void*> devices_;
  bool started_ = false;
  std::string problem_;
};

}  // namespace vramlint::cuda
