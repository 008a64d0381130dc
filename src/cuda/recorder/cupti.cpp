// SPDX-License-Identifier: MIT
#include "cuda/recorder/cupti.h"

#include <dlfcn.h>

#include <cstdlib>

#include "cuda/trace_format.h"

namespace vramlint::recorder {

namespace {

constexpr const char* names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
constexpr const char* usual_places[] = {"/usr/local/cuda/lib64/libcupti.so",
                                        "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"};

void* open_cupti() {
  for (const char* name : names) {
    if (void* library = ::dlopen(name, RTLD_NOW | RTLD_NOLOAD)) return library;
  }
  const char* named = std::getenv(cuda::cupti_variable);
  if (named != nullptr && *named != '\0') {
    if (void* library = ::dlopen(named, RTLD_NOW)) return library;
  }
  for (const char* name : names) {
    if (void* library = ::dlopen(name, RTLD_NOW)) return library;
  }
  for (const char* place : usual_places) {
    if (void* library = ::dlopen(place, RTLD_NOW)) return library;
  }
  return nullptr;
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
}

}  // namespace

Cupti load_cupti() {
  Cupti cupti;
  void* library = open_cupti();
  if (library == nullptr) return cupti;
  find(library, "cuptiSubscribe", cupti.subscribe);
  find(library, "cuptiEnableCallback", cupti.enable_callback);
  return cupti;
}

}  // namespace vramlint::recorder
