// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace vramlint::knowledge {

/// What `vramlint doctor` knows of a machine as a number; a yes is 1 and a no is 0.
enum class MachineFact : uint8_t {
  shared_memory_bytes,  ///< of the system …
  open_files,
  takes_descriptors,
  integrated,  ///< … and of each device
  virtual_memory,
  memory_pools,
  compute_mode,
};

/// What follows for memory settings where a fact's number lies in a range.
struct MachineNeedRow {
  std::string_view name;
  MachineFact fact{};
  int64_t number_min = 0;  ///< both ends inclusive
  int64_t number_max = 0;
  std::string_view message;  ///< one line, with the remedy where there is one
  std::string_view source;
  std::string_view evidence;
};

/// A program that `vramlint doctor` looks for.
struct MachineToolRow {
  std::string_view name;
  std::string_view without;  ///< what it means that there is none; empty: nothing
  std::string_view summary;
  std::string_view source;
};

/// What a line on standard error shows.
enum class OutputSign : uint8_t { warning, traceback, out_of_memory };

/// How PyTorch, CUDA and Python write of trouble.
struct OutputMarkRow {
  OutputSign sign{};
  /// How such a line begins: `#` stands for some digits, `@` for letters, digits, `_` and `.` or
  /// none, `*` for anything.
  std::string_view line;
  std::string_view summary;
  std::string_view source;
};

}  // namespace vramlint::knowledge
