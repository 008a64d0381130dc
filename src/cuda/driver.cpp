// SPDX-License-Identifier: MIT
// The driver's functions and numbers as `cuda.h` declares them, written out: the program is built
// without CUDA.
#include "cuda/driver.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "cuda/shared_library.h"

namespace vramlint::cuda {

namespace {

using Status = int;
using Handle = int;

enum class Attribute : int {
  integrated = 18,
  compute_mode = 20,
  unified_addressing = 41,
  compute_major = 75,
  compute_minor = 76,
  managed_memory = 83,
  concurrent_managed_access = 89,
  virtual_memory = 102,
  descriptor_handles = 103,
  memory_pools = 115,
  ipc_events = 125,
  fabric_handles = 128,
};

struct Functions {
  Status (*init)(unsigned) = nullptr;
  Status (*version)(int*) = nullptr;
  Status (*count)(int*) = nullptr;
  Status (*get)(Handle*, int) = nullptr;
  Status (*name)(char*, int, Handle) = nullptr;
  Status (*uuid)(unsigned char*, Handle) = nullptr;
  Status (*total)(std::size_t*, Handle) = nullptr;
  Status (*attribute)(int*, int, Handle) = nullptr;
  Status (*can_access)(int*, Handle, Handle) = nullptr;
  Status (*error_name)(Status, const char**) = nullptr;
  Status (*error_text)(Status, const char**) = nullptr;

  bool complete() const {
    return init != nullptr && count != nullptr && get != nullptr && attribute != nullptr;
  }
};

Functions functions_of(const SharedLibrary& library) {
  Functions all;
  library.find("cuInit", all.init);
  library.find("cuDriverGetVersion", all.version);
  library.find("cuDeviceGetCount", all.count);
  library.find("cuDeviceGet", all.get);
  library.find("cuDeviceGetName", all.name);
  library.find("cuDeviceGetUuid_v2", all.uuid);
  library.find("cuDeviceTotalMem_v2", all.total);
  library.find("cuDeviceGetAttribute", all.attribute);
  library.find("cuDeviceCanAccessPeer", all.can_access);
  library.find("cuGetErrorName", all.error_name);
  library.find("cuGetErrorString", all.error_text);
  return all;
}

std::string meaning_of(Status status, const Functions& driver) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (driver.error_name != nullptr) driver.error_name(status, &name);
  if (driver.error_text != nullptr) driver.error_text(status, &text);
  return fmt::format("{} ({})", name != nullptr ? name : "error",
                     text != nullptr ? text : std::to_string(status).c_str());
}

std::string uuid_text(const std::array<unsigned char, 16>& bytes) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

class Asking {
 public:
  Asking(const Functions& driver, Handle handle) : driver_(driver), handle_(handle) {}

  std::optional<int> number(Attribute attribute) const {
    int value = 0;
    if (driver_.attribute(&value, static_cast<int>(attribute), handle_) != 0) return std::nullopt;
    return value;
  }

  std::optional<bool> flag(Attribute attribute) const {
    const std::optional<int> value = number(attribute);
    if (!value) return std::nullopt;
    return *value != 0;
  }

  Device device() const {
    Device device;
    char name[256] = "";
    if (driver_.name != nullptr && driver_.name(name, sizeof name, handle_) == 0) {
      device.name = name;
    }
    std::array<unsigned char, 16> uuid{};
    if (driver_.uuid != nullptr && driver_.uuid(uuid.data(), handle_) == 0) {
      device.uuid = uuid_text(uuid);
    }
    std::size_t bytes = 0;
    if (driver_.total != nullptr && driver_.total(&bytes, handle_) == 0) device.total_bytes = bytes;
    device.major = number(Attribute::compute_major);
    device.minor = number(Attribute::compute_minor);
    device.integrated = flag(Attribute::integrated);
    device.unified_addressing = flag(Attribute::unified_addressing);
    device.managed_memory = flag(Attribute::managed_memory);
    device.concurrent_managed_access = flag(Attribute::concurrent_managed_access);
    device.virtual_memory = flag(Attribute::virtual_memory);
    device.descriptor_handles = flag(Attribute::descriptor_handles);
    device.fabric_handles = flag(Attribute::fabric_handles);
    device.memory_pools = flag(Attribute::memory_pools);
    device.ipc = flag(Attribute::ipc_events);
    device.compute_mode = number(Attribute::compute_mode);
    return device;
  }

 private:
  const Functions& driver_;
  Handle handle_;
};

void ask_peers(const Functions& functions, const std::vector<Handle>& handles, Driver& driver) {
  if (functions.can_access == nullptr) return;
  for (std::size_t from = 0; from < handles.size(); ++from) {
    for (std::size_t to = 0; to < handles.size(); ++to) {
      int can = 0;
      std::optional<bool> answer;
      if (from != to && functions.can_access(&can, handles[from], handles[to]) == 0) {
        answer = can != 0;
      }
      driver.devices[from].peers.push_back(answer);
    }
  }
}

}  // namespace

Driver ask_driver() {
  Driver driver;
#ifdef _WIN32
  const SharedLibrary library = SharedLibrary::open({"nvcuda.dll"});
#else
  const SharedLibrary library =
      SharedLibrary::open({"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "libcuda.so"});
#endif
  if (!library) {
    driver.problem = "there is no CUDA driver: " + library.problem();
    return driver;
  }
  driver.library = library.path();
  const Functions functions = functions_of(library);
  if (!functions.complete()) {
    driver.problem = "the driver lacks functions that this program asks it by; update the driver";
    return driver;
  }
  int version = 0;
  if (functions.version != nullptr && functions.version(&version) == 0) driver.version = version;
  if (const Status started = functions.init(0); started != 0) {
    driver.problem = "the driver does not start: " + meaning_of(started, functions);
    return driver;
  }
  int count = 0;
  if (const Status counted = functions.count(&count); counted != 0) {
    driver.problem = "the driver does not count its devices: " + meaning_of(counted, functions);
    return driver;
  }
  std::vector<Handle> handles;
  for (int i = 0; i < count; ++i) {
    Handle handle = 0;
    if (functions.get(&handle, i) != 0) continue;
    handles.push_back(handle);
    driver.devices.push_back(Asking(functions, handle).device());
  }
  ask_peers(functions, handles, driver);
  return driver;
}

}  // namespace vramlint::cuda
