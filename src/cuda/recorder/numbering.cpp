// SPDX-License-Identifier: MIT
#include "cuda/recorder/numbering.h"

#include <array>
#include <atomic>
#include <cstddef>

#include "cuda/trace_format.h"

namespace vramlint::recorder {

namespace {

using cuda::TraceRecord;

constexpr std::size_t most = TraceRecord::many;

std::atomic<unsigned> threads{0};
std::array<std::atomic<CUstream>, most> streams{};
std::array<std::atomic<CUcontext>, most> contexts{};
std::array<std::atomic<uint8_t>, most> devices{};

/// The place of a pointer, which gets one if there is still room; `most` otherwise.
template <typename Pointer>
std::size_t place_of(std::array<std::atomic<Pointer>, most>& places, Pointer wanted, bool adds) {
  for (std::size_t i = 0; i < most; ++i) {
    Pointer there = places[i].load(std::memory_order_acquire);
    if (there == nullptr) {
      if (!adds) return most;
      if (places[i].compare_exchange_strong(there, wanted, std::memory_order_acq_rel)) return i;
    }
    if (there == wanted) return i;
  }
  return most;
}

}  // namespace

uint8_t number_of_thread() {
  thread_local const unsigned number = threads.fetch_add(1, std::memory_order_relaxed);
  return static_cast<uint8_t>(number < most ? number : most);
}

uint8_t number_of_stream(CUstream stream) {
  if (stream == nullptr) return 0;
  const std::size_t place = place_of(streams, stream, true);
  return static_cast<uint8_t>(place + 1 < most ? place + 1 : most);
}

void remember_context(CUcontext context, uint8_t device) {
  const std::size_t place = place_of(contexts, context, true);
  if (place < most) devices[place].store(device, std::memory_order_release);
}

uint8_t device_of(CUcontext context) {
  if (context == nullptr) return TraceRecord::many;
  const std::size_t place = place_of(contexts, context, false);
  return place < most ? devices[place].load(std::memory_order_acquire) : TraceRecord::many;
}

}  // namespace vramlint::recorder
