// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstring>

#include "state.h"

extern "C" {

int nvmlInit_v2() { return 0; }

int nvmlSystemGetDriverVersion(char* text, unsigned bytes) {
  std::snprintf(text, bytes, "580.0.0");
  return 0;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(standin::count_of_devices());
  return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = reinterpret_cast<void*>(static_cast<uintptr_t>(index) + 1);
  return 0;
}

int nvmlDeviceGetName(void* /*device*/, char* text, unsigned bytes) {
  std::snprintf(text, bytes, "Stand-in");
  return 0;
}

int nvmlDeviceGetUUID(void* /*device*/, char* text, unsigned bytes) {
  std::snprintf(text, bytes, "GPU-01010101-0101-0101-0101-010101010101");
  return 0;
}

/// All memory is counted to the first device.
int nvmlDeviceGetMemoryInfo(void* device, unsigned long long* memory) {
  const uint64_t used = device == reinterpret_cast<void*>(1) ? standin::state().used() : 0;
  memory[0] = standin::total_bytes;
  memory[1] = standin::total_bytes - used;
  memory[2] = used;
  return 0;
}

const char* nvmlErrorString(int /*error*/) { return "unknown error"; }

}  // extern "C"
