# SPDX-License-Identifier: MIT
# Libraries as Debian ships them (`./dev setup`). All are used as headers, so that the program needs
# nothing but the C library where it runs.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

# Debian's own CMake target of toml++ insists on its shared library; its headers are slow to compile
# over and over. So they are compiled once, here.
find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
file(CONFIGURE OUTPUT toml.cpp CONTENT "#define TOML_IMPLEMENTATION\n#include <toml++/toml.h>\n")
add_library(vramlint_toml STATIC ${CMAKE_BINARY_DIR}/toml.cpp)
target_include_directories(vramlint_toml SYSTEM PUBLIC ${TOMLPLUSPLUS_INCLUDE})
target_compile_definitions(vramlint_toml PUBLIC TOML_HEADER_ONLY=0)

add_library(vramlint_libraries INTERFACE)
target_link_libraries(
  vramlint_libraries INTERFACE vramlint_toml fmt::fmt-header-only nlohmann_json::nlohmann_json
                               CLI11::CLI11 Threads::Threads ${CMAKE_DL_LIBS})
