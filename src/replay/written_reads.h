// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "model/launch.h"

namespace vramlint::replay {

/// Where a launch file uses its variables as text: `--gpus "device=$CUDA_VISIBLE_DEVICES"`.
class WrittenReads {
 public:
  explicit WrittenReads(const model::Launch& launch) : launch_(launch) {}

  /// Whether a variable is used anywhere but where it is set: then it serves the script itself.
  /// What is only shown does not count.
  bool is_read_beside(const model::LaunchStep& set);

 private:
  struct Read {
    uint32_t file = 0;
    size_t at = 0;
  };
  /// The first and the last use of a variable: those between them are where they are.
  struct Reads {
    bool any = false;
    Read first;
    Read last;
  };

  const Reads& reads_of(const std::string& name);
  void look_through(std::string_view bytes, uint32_t file, std::string_view name, Reads& made);

  const model::Launch& launch_;
  std::map<std::string, Reads, std::less<>> known_;
};

}  // namespace vramlint::replay
