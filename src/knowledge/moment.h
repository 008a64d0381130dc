// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace vramlint::knowledge {

/// The points in a process's life at which PyTorch, CUDA and the libraries around them read a
/// setting, once. They are not a chain: `rules/knowledge/moments.toml` says which implies which,
/// `calls.toml` and `packages.toml` what brings them about, `variables.toml` what is read when.
enum class Moment : uint8_t {
  process_start,
  openmp_load,
  import_torch,
  driver,             ///< CUDA driver library initialised; device mask frozen, forks poisoned
  cuda_init,          ///< `torch.cuda.is_initialized()` is true from here on
  allocator_string,   ///< the allocator's configuration string has been read
  context,            ///< the primary context exists
  device_allocation,  ///< the first tensor memory on a CUDA device
  pinned_allocation,  ///< the first page-locked host memory
  start_method,       ///< multiprocessing's start method is fixed
  process_group,      ///< `torch.distributed` has its default group
  communicator,       ///< the first NCCL communicator
  cublas_handle,      ///< the first cuBLAS handle and its workspace
  mps_init,           ///< the Metal allocator is up
  jax_backend,        ///< JAX has chosen and opened its devices
};

inline constexpr std::size_t moment_count = 15;

}  // namespace vramlint::knowledge
