// SPDX-License-Identifier: MIT
//
// libvramlint_recorder.so. The driver loads the library that `CUDA_INJECTION64_PATH` names into any
// process that starts CUDA, and calls `InitializeInjection`. From then on CUPTI tells of every
// driver call that takes, gives back, maps or shares memory, and the trace gets a record of it.
// Whatever goes wrong here stands in the trace; the program runs on without being recorded.
#include <pthread.h>

#include <algorithm>
#include <atomic>

#include "cuda/recorder/calls.h"
#include "cuda/recorder/cupti.h"
#include "cuda/recorder/numbering.h"
#include "cuda/recorder/trace_writer.h"

namespace vramlint::recorder {

namespace {

using cuda::RecorderState;
using cuda::TraceRecord;

constinit TraceWriter trace;
std::atomic<bool> forked{false};

void record_call(const WatchedCall& watched, const CUpti_CallbackData& data, uint64_t began) {
  TraceRecord record{};
  const uint64_t ended = now();
  record.time_ns = ended;
  record.took_ns = static_cast<uint32_t>(std::min<uint64_t>(ended - began, UINT32_MAX));
  record.call = static_cast<uint8_t>(watched.call);
  record.device = device_of(data.context);
  record.thread = number_of_thread();
  if (data.functionReturnValue != nullptr) {
    const auto result = *static_cast<const CUresult*>(data.functionReturnValue);
    record.bytes_and_result = static_cast<uint64_t>(result) << TraceRecord::bytes_bits;
  }
  watched.read(data.functionParams, record);
  if (forked.exchange(false)) {
    // Only now: most children of a fork never touch the device.
    if (trace.open()) trace.set_state(RecorderState::recording);
  }
  trace.add(record);
}

void CUPTIAPI on_call(void* /*context*/, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                      const void* details) {
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API) return;
  const auto& data = *static_cast<const CUpti_CallbackData*>(details);
  if (data.callbackSite == CUPTI_API_ENTER) {
    if (data.correlationData != nullptr) *data.correlationData = now();
    return;
  }
  const WatchedCall* watched = find_call(id);
  if (watched == nullptr) return;
  const uint64_t began = data.correlationData != nullptr ? *data.correlationData : now();
  record_call(*watched, data, began);
}

void in_forked_child() {
  trace.forget_parent();
  forked.store(true);
}

void start() {
  if (!trace.open()) return;
  const Cupti cupti = load_cupti();
  if (!cupti) return trace.set_state(RecorderState::without_cupti);
  CUpti_SubscriberHandle subscriber{};
  const CUptiResult subscribed = cupti.subscribe(&subscriber, on_call, nullptr);
  if (subscribed != CUPTI_SUCCESS) {
    const bool taken = subscribed == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    return trace.set_state(taken ? RecorderState::already_subscribed : RecorderState::refused,
                           static_cast<uint32_t>(subscribed));
  }
  // A function that this CUPTI does not know yet is no loss: nobody can call it.
  for (const WatchedCall& watched : watched_calls()) {
    cupti.enable_callback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, watched.id);
  }
  ::pthread_atfork(nullptr, nullptr, in_forked_child);
  trace.set_state(RecorderState::recording);
}

/// Runs when the process ends by itself; after `_exit` or a kill the state stays at `recording`.
[[gnu::destructor]] void on_exit() { trace.finish(); }

}  // namespace

}  // namespace vramlint::recorder

extern "C" [[gnu::visibility("default")]] int InitializeInjection() {
  vramlint::recorder::start();
  return 1;
}
