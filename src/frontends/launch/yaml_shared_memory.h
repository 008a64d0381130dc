// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string_view>

#include "frontends/launch/yaml_view.h"

namespace vramlint::frontends {

/// How much `/dev/shm` the containers of a YAML stream have. Where that can't be told, it is more
/// than the 64 MB that containers have by themselves.
class YamlSharedMemory {
 public:
  explicit YamlSharedMemory(const YamlView& view);

  /// Whether the container that a mapping describes has no more than that.
  bool is_small_in(size_t container) const;
  /// Whether the one has that a job of a workflow runs in.
  bool is_small_in_job(size_t job) const;

 private:
  bool is_small_in_pod(size_t container) const;
  /// Whether a volume of that name holds no more than a container has anyway.
  bool is_small_volume(std::string_view name) const;

  const YamlView& view_;
  /// Asked of the stream once: something in it may enlarge what pods, or what other containers
  /// have.
  bool enlarges_pods_;
  bool enlarges_others_;
  std::map<std::string_view, size_t> volumes_;  ///< the first of each name
};

}  // namespace vramlint::frontends
