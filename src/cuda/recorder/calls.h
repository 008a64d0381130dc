// SPDX-License-Identifier: MIT
#pragma once

#include <cupti.h>

#include <span>

#include "cuda/trace_format.h"

namespace vramlint::recorder {

/// Fills in address, bytes, stream and what else the arguments of a driver call say.
using ReadArguments = void (*)(const void* arguments, cuda::TraceRecord& record);

/// A driver function, as CUPTI numbers it.
struct WatchedCall {
  CUpti_CallbackId id;
  cuda::Call call;
  ReadArguments read;
};

/// All functions that are watched. Runtime calls (`cudaMalloc`) reach the device through these, and
/// so are seen once.
std::span<const WatchedCall> watched_calls();

/// Null for a function that is not watched.
const WatchedCall* find_call(CUpti_CallbackId id);

}  // namespace vramlint::recorder
