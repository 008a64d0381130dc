// SPDX-License-Identifier: MIT
#include "cuda/management.h"

namespace vramlint::cuda {

namespace {

constexpr int insufficient_size = 7;  // NVML_ERROR_INSUFFICIENT_SIZE: there are more than none
constexpr unsigned text_bytes = 128;

struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

}  // namespace

Management Management::open() {
  Management made;
#ifdef _WIN32
  made.library_ = SharedLibrary::open({"nvml.dll"});
#else
  made.library_ = SharedLibrary::open({"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"});
#endif
  Functions& functions = made.functions_;
  made.library_.find("nvmlInit_v2", functions.init);
  made.library_.find("nvmlSystemGetDriverVersion", functions.driver_version);
  made.library_.find("nvmlDeviceGetCount_v2", functions.count);
  made.library_.find("nvmlDeviceGetHandleByIndex_v2", functions.handle);
  made.library_.find("nvmlDeviceGetName", functions.name);
  made.library_.find("nvmlDeviceGetUUID", functions.uuid);
  made.library_.find("nvmlDeviceGetMemoryInfo", functions.memory);
  made.library_.find("nvmlDeviceGetComputeRunningProcesses_v3", functions.programs);
  made.library_.find("nvmlErrorString", functions.error);
  if (functions.init == nullptr || functions.count == nullptr || functions.handle == nullptr) {
    made.problem_ = "there is no management library: " + made.library_.problem();
    return made;
  }
  if (const int started = functions.init(); started != 0) {
    const char* reason = functions.error != nullptr ? functions.error(started) : "";
    made.problem_ = std::string("the management library does not start: ") + reason;
    return made;
  }
  made.started_ = true;
  unsigned count = 0;
  if (functions.count(&count) != 0) count = 0;
  for (unsigned i = 0; i < count; ++i) {
    void* device = nullptr;
    if (functions.handle(i, &device) == 0) made.devices_.push_back(device);
  }
  return made;
}

std::string Management::driver_version() const {
  char text[text_bytes] = "";
  const bool told = started_ && functions_.driver_version != nullptr &&
                    functions_.driver_version(text, text_bytes) == 0;
  return told ? text : "";
}

unsigned Management::count() const { return static_cast<unsigned>(devices_.size()); }

std::string Management::name(unsigned device) const {
  char text[text_bytes] = "";
  const bool told =
      functions_.name != nullptr && functions_.name(devices_[device], text, text_bytes) == 0;
  return told ? text : "";
}

std::string Management::uuid(unsigned device) const {
  char text[text_bytes] = "";
  const bool told =
      functions_.uuid != nullptr && functions_.uuid(devices_[device], text, text_bytes) == 0;
  return told ? text : "";
}

std::optional<DeviceMemory> Management::memory(unsigned device) const {
  Memory memory{};
  if (functions_.memory == nullptr || functions_.memory(devices_[device], &memory) != 0) {
    return std::nullopt;
  }
  return DeviceMemory{memory.total, memory.used};
}

std::optional<unsigned> Management::programs(unsigned device) const {
  unsigned count = 0;
  if (functions_.programs == nullptr) return std::nullopt;
  const int status = functions_.programs(devices_[device], &count, nullptr);
  if (status != 0 && status != insufficient_size) return std::nullopt;
  return count;
}

}  // namespace vramlint::cuda
