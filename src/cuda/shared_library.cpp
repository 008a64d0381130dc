// SPDX-License-Identifier: MIT
#include "cuda/shared_library.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif
#ifdef __linux__
#include <link.h>
#endif

namespace vramlint::cuda {

namespace {

#ifdef _WIN32

void* load(const std::string& name, std::string& problem) {
  void* handle = reinterpret_cast<void*>(::LoadLibraryA(name.c_str()));
  if (handle == nullptr) problem = "`" + name + "` can't be loaded";
  return handle;
}

std::string place_of(void* /*handle*/, const std::string& name) { return name; }

#else

void* load(const std::string& name, std::string& problem) {
  void* handle = ::dlopen(name.c_str(), RTLD_NOW);
  if (handle != nullptr) return handle;
  const char* reason = ::dlerror();
  problem = reason != nullptr ? reason : "`" + name + "` can't be loaded";
  return nullptr;
}

std::string place_of([[maybe_unused]] void* handle, const std::string& name) {
#ifdef __linux__
  link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr) return map->l_name;
#endif
  return name;
}

#endif

}  // namespace

SharedLibrary SharedLibrary::open(const std::vector<std::string>& names) {
  SharedLibrary library;
  for (const std::string& name : names) {
    std::string problem;
    library.handle_ = load(name, problem);
    if (library.handle_ != nullptr) {
      library.path_ = place_of(library.handle_, name);
      library.problem_.clear();
      return library;
    }
    if (library.problem_.empty()) library.problem_ = problem;
  }
  return library;
}

void* SharedLibrary::address_of(const char* name) const {
  if (handle_ == nullptr) return nullptr;
#ifdef _WIN32
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(handle_), name));
#else
  return ::dlsym(handle_, name);
#endif
}

}  // namespace vramlint::cuda
