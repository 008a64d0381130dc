// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda/driver.h"
#include "cuda/management.h"
#include "knowledge/knowledge.h"

namespace vramlint::validate {

/// A place where processes share memory.
struct SharedMemoryPlace {
  std::string path;
  uint64_t total_bytes = 0;
  uint64_t free_bytes = 0;
};

/// What the system grants to a process, as far as memory on the GPU depends on it.
struct System {
  std::string name;  ///< `Linux 6.1.0 x86_64`
  bool is_wsl = false;
  std::string container;  ///< what it seems to be; empty outside of one
  std::optional<SharedMemoryPlace> shared_memory;
  std::optional<uint64_t> descriptors;       ///< open files that a process may have
  std::optional<uint64_t> most_descriptors;  ///< up to which it may raise that
  std::optional<uint64_t> locked_bytes;      ///< memory that it may lock; UINT64_MAX for any
  /// Whether a process may take a descriptor of another: expandable segments are shared so.
  std::optional<bool> takes_descriptors;
  std::string descriptors_problem;
};

/// The PyTorch of a Python.
struct TorchPlace {
  std::string interpreter;  ///< as it was asked for
  std::string problem;      ///< why nothing is known
  std::string python;
  std::string torch;
  std::string cuda;  ///< that it was built for; empty without
  std::string hip;
  std::string nccl;
  std::optional<bool> available;
  std::string backend;                                        ///< of the allocator
  std::vector<std::pair<std::string, std::string>> settings;  ///< of the allocator, in force
};

/// Memory of a device and who uses it.
struct DeviceUse {
  std::string name;
  std::string uuid;
  std::optional<cuda::DeviceMemory> memory;
  std::optional<unsigned> programs;
};

/// What this machine offers to a program that uses GPU memory.
struct Machine {
  System system;
  cuda::Driver driver;
  std::string driver_version;      ///< `580.159.04`
  std::string management_problem;  ///< why nothing is known of memory in use
  std::vector<DeviceUse> uses;
  std::optional<TorchPlace> torch;  ///< nothing when it was not asked for
  /// Variables that decide memory and are set here.
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::pair<std::string, std::string>> tools;  ///< name, path; empty: not found
  std::string recorder;
};

/// Asks the system, the driver, NVML and the environment. `interpreter` empty: PyTorch is not
/// asked.
Machine look_at_machine(const std::string& interpreter, const knowledge::Knowledge& knowledge);

/// Forks for a moment, so it comes before any driver is loaded.
System look_at_system();

/// `9.0`; empty where the driver does not tell.
std::string compute_capability(const cuda::Device& device);

/// What is there and what follows, for people.
std::string doctor_text(const Machine& machine, const knowledge::Knowledge& knowledge);
/// Version 1; see README.md beside this.
std::string doctor_json(const Machine& machine);

}  // namespace vramlint::validate
