// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace vramlint::frontends {

/// Who reads a size: docker has `m` for mebibytes, Kubernetes `Mi`; there `m` is a thousandth.
enum class SizeUnits : uint8_t { docker, kubernetes };

/// Whether a size of `/dev/shm` is no more than the 64 MB that a container has without one. A text
/// that is no size is not.
bool is_small_shared_memory(std::string_view size, SizeUnits units);

}  // namespace vramlint::frontends
