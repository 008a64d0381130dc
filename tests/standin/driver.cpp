// SPDX-License-Identifier: MIT
//
// A CUDA driver without a device. Its functions have the names and arguments of the real one; each
// that allocates takes a millisecond, so that programs that allocate much are slow.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

#include "state.h"

namespace {

constexpr int success = 0;
constexpr int invalid_value = 1;
constexpr int out_of_memory = 2;
constexpr int not_initialized = 3;

// CUPTI's numbers of the functions below.
constexpr unsigned id_alloc = 243;
constexpr unsigned id_free = 245;
constexpr unsigned id_retain = 386;

bool started = false;
std::mutex lock;
std::map<uint64_t, uint64_t> blocks;
uint64_t next_address = 0x7f0000000000;

using Notify = void (*)(unsigned id, int is_exit, const char* name, const void* arguments,
                        const int* result, uint64_t* correlation);

Notify notifier() {
  void* cupti = ::dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
  return cupti == nullptr ? nullptr
                          : reinterpret_cast<Notify>(::dlsym(cupti, "standin_cupti_notify"));
}

template <typename Arguments, typename Work>
int told(unsigned id, const char* name, const Arguments& arguments, Work work) {
  const Notify notify = notifier();
  uint64_t correlation = 0;
  int result = success;
  if (notify != nullptr) notify(id, 0, name, &arguments, &result, &correlation);
  result = started ? work() : not_initialized;
  if (notify != nullptr) notify(id, 1, name, &arguments, &result, &correlation);
  return result;
}

void inject() {
  const char* path = std::getenv("CUDA_INJECTION64_PATH");
  if (path == nullptr || *path == '\0') return;
  void* library = ::dlopen(path, RTLD_NOW);
  if (library == nullptr) return;
  auto* initialize = reinterpret_cast<int (*)()>(::dlsym(library, "InitializeInjection"));
  if (initialize != nullptr) initialize();
}

}  // namespace

extern "C" {

int cuInit(unsigned /*flags*/) {
  if (standin::count_of_devices() == 0) return standin::no_device;
  const bool first = !started;
  started = true;
  if (first) inject();
  return success;
}

int cuDriverGetVersion(int* version) {
  *version = 13000;
  return success;
}

int cuDeviceGetCount(int* count) {
  *count = standin::count_of_devices();
  return started ? success : not_initialized;
}

int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return success;
}

int cuDeviceGetName(char* name, int bytes, int device) {
  std::snprintf(name, static_cast<std::size_t>(bytes), "Stand-in %d", device);
  return success;
}

int cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
  std::memset(uuid, device + 1, 16);
  return success;
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int /*device*/) {
  *bytes = standin::total_bytes;
  return success;
}

int cuDeviceGetAttribute(int* value, int attribute, int /*device*/) {
  const bool plain = std::getenv("STANDIN_PLAIN") != nullptr;
  switch (attribute) {
    case 75: *value = 9; return success;
    case 76:
    case 20: *value = 0; return success;
    case 18: *value = plain ? 1 : 0; return success;
    case 102:
    case 103:
    case 115: *value = plain ? 0 : 1; return success;
    case 128: return invalid_value;  // as a driver that does not know the attribute yet
    default: *value = 1; return success;
  }
}

int cuDeviceCanAccessPeer(int* can, int /*from*/, int /*to*/) {
  *can = 1;
  return success;
}

int cuGetErrorName(int error, const char** name) {
  *name = error == standin::no_device ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_UNKNOWN";
  return success;
}

int cuGetErrorString(int error, const char** text) {
  *text = error == standin::no_device ? "no CUDA-capable device is detected" : "unknown error";
  return success;
}

int cuModuleGetLoadingMode(int* mode) {
  *mode = 2;
  return success;
}

int cuDevicePrimaryCtxRetain(void** context, int device) {
  struct {
    void** context;
    int device;
  } arguments{context, device};
  return told(id_retain, "cuDevicePrimaryCtxRetain", arguments, [&] {
    *context = &started;
    return success;
  });
}

int cuMemAlloc_v2(uint64_t* address, std::size_t bytes) {
  struct {
    uint64_t* address;
    std::size_t bytes;
  } arguments{address, bytes};
  return told(id_alloc, "cuMemAlloc_v2", arguments, [&] {
    ::usleep(1000);
    const std::lock_guard guard(lock);
    std::atomic<uint64_t>* own = standin::state().own();
    if (own == nullptr || standin::state().used() + bytes > standin::total_bytes) {
      return out_of_memory;
    }
    *own += bytes;
    *address = next_address;
    next_address += bytes;
    blocks[*address] = bytes;
    return success;
  });
}

int cuMemFree_v2(uint64_t address) {
  struct {
    uint64_t address;
  } arguments{address};
  return told(id_free, "cuMemFree_v2", arguments, [&] {
    const std::lock_guard guard(lock);
    const auto block = blocks.find(address);
    if (block == blocks.end()) return invalid_value;
    std::atomic<uint64_t>* own = standin::state().own();
    if (own != nullptr) *own -= block->second;
    blocks.erase(block);
    return success;
  });
}

}  // extern "C"
