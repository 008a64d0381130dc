# SPDX-License-Identifier: MIT
# Libraries as the sdist carries them in third_party/, else as Debian ships them (`./dev setup`) or
# as they lie elsewhere on CMake's paths. All are used as headers, so that the program needs nothing
# but the C library where it runs.

find_package(Threads REQUIRED)

set(vramlint_headers CLI/CLI.hpp fmt/format.h nlohmann/json.hpp toml++/toml.h)
set(vramlint_header_packages libcli11-dev libfmt-dev nlohmann-json3-dev libtomlplusplus-dev)
set(missing "")
set(vramlint_includes "")
foreach(header package IN ZIP_LISTS vramlint_headers vramlint_header_packages)
  find_path(${package}_INCLUDE ${header} HINTS ${CMAKE_SOURCE_DIR}/third_party/include)
  if(${package}_INCLUDE)
    list(APPEND vramlint_includes ${${package}_INCLUDE})
  else()
    string(APPEND missing " ${package}")
  endif()
endforeach()
if(missing)
  # The blank in front keeps it on one line.
  message(FATAL_ERROR " vramlint: missing packages (of Debian; or get the same elsewhere):${missing}")
endif()
list(REMOVE_DUPLICATES vramlint_includes)

# The headers of toml++ are slow to compile over and over. So they are compiled once, here.
# What toml++ 3.3 asserts about a key doesn't hold for every text, `[=` for one: that ends a program
# with assertions, and is undefined without. Less the assertions it says what is wrong.
file(CONFIGURE OUTPUT toml.cpp CONTENT "\
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
")
add_library(vramlint_toml STATIC ${CMAKE_BINARY_DIR}/toml.cpp)
target_include_directories(vramlint_toml SYSTEM PUBLIC ${vramlint_includes})
target_compile_definitions(vramlint_toml PUBLIC TOML_HEADER_ONLY=0)
if(VRAMLINT_SANITIZE MATCHES "undefined")
  # It takes its question for blanks beyond ASCII to end before it does, and the answer comes out right.
  target_compile_options(vramlint_toml PRIVATE -fno-sanitize=unreachable)
endif()

add_library(vramlint_libraries INTERFACE)
target_compile_definitions(vramlint_libraries INTERFACE FMT_HEADER_ONLY=1)
target_link_libraries(vramlint_libraries INTERFACE vramlint_toml Threads::Threads ${CMAKE_DL_LIBS})
