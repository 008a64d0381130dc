// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vramlint::cuda {

/// What the driver says of one device. What it would not tell is missing, or empty.
struct Device {
  std::string name;
  std::string uuid;          ///< `GPU-…`
  std::optional<int> major;  ///< of the compute capability
  std::optional<int> minor;
  std::optional<uint64_t> total_bytes;
  std::optional<bool> integrated;  ///< shares its memory with the host
  std::optional<bool> unified_addressing;
  std::optional<bool> managed_memory;
  std::optional<bool> concurrent_managed_access;
  std::optional<bool> virtual_memory;      ///< cuMemCreate, cuMemMap: expandable segments
  std::optional<bool> descriptor_handles;  ///< such memory handed on as a file descriptor
  std::optional<bool> fabric_handles;      ///< or to another machine
  std::optional<bool> memory_pools;        ///< cuMemAllocAsync: `backend:cudaMallocAsync`
  std::optional<bool> ipc;                 ///< CUDA tensors between processes
  std::optional<int> compute_mode;         ///< 0: anyone may use it
  std::vector<std::optional<bool>> peers;  ///< by device: its memory can be read from here
};

/// The CUDA driver as this machine has it.
struct Driver {
  std::string library;         ///< its path; empty when there is none
  std::string problem;         ///< why there is no driver, or why it does not start
  std::optional<int> version;  ///< newest CUDA that it runs: 13000 for 13.0
  std::vector<Device> devices;
};

/// Loads and starts the driver, and asks it. No context is made, so no memory is taken on any
/// device.
Driver ask_driver();

}  // namespace vramlint::cuda
