// SPDX-License-Identifier: MIT
#pragma once

#include <cuda.h>

#include <cstdint>

namespace vramlint::recorder {

// Small numbers for threads, streams and contexts, in the order in which they are seen. Without
// locks: the driver may call from any thread, and from within a fork.

/// Of the thread that calls.
uint8_t number_of_thread();
/// 0 for the default stream.
uint8_t number_of_stream(CUstream stream);

/// Notes on which device a context works, when it is made or taken.
void remember_context(CUcontext context, uint8_t device);
/// `TraceRecord::many` for a context that was made before anyone looked.
uint8_t device_of(CUcontext context);

}  // namespace vramlint::recorder
