// SPDX-License-Identifier: MIT
#include <cupti.h>

#include <atomic>

namespace {

constexpr unsigned most_ids = 4096;

std::atomic<CUpti_CallbackFunc> callback{nullptr};
std::atomic<bool> enabled[most_ids];

}  // namespace

extern "C" {

CUptiResult CUPTIAPI cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc wanted,
                                    void* /*user*/) {
  CUpti_CallbackFunc nobody = nullptr;
  if (!callback.compare_exchange_strong(nobody, wanted)) {
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  }
  *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(&callback);
  return CUPTI_SUCCESS;
}

CUptiResult CUPTIAPI cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle /*subscriber*/,
                                         CUpti_CallbackDomain /*domain*/, CUpti_CallbackId id) {
  if (id >= most_ids) return CUPTI_ERROR_INVALID_PARAMETER;
  enabled[id] = enable != 0;
  return CUPTI_SUCCESS;
}

/// Called by the stand-in driver around each of its calls.
void standin_cupti_notify(unsigned id, int is_exit, const char* name, const void* arguments,
                          const int* result, uint64_t* correlation) {
  const CUpti_CallbackFunc told = callback;
  if (told == nullptr || id >= most_ids || !enabled[id]) return;
  CUpti_CallbackData data{};
  data.callbackSite = is_exit != 0 ? CUPTI_API_EXIT : CUPTI_API_ENTER;
  data.functionName = name;
  data.functionParams = arguments;
  data.functionReturnValue = const_cast<int*>(result);
  data.correlationData = correlation;
  told(nullptr, CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
}

}  // extern "C"
