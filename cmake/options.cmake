# SPDX-License-Identifier: MIT
# How our own sources are compiled. Grammars and generated tables do not link to this target.

add_library(vramlint_options INTERFACE)
target_include_directories(vramlint_options INTERFACE ${CMAKE_SOURCE_DIR}/src
                                                      ${CMAKE_BINARY_DIR}/generated)
target_compile_options(vramlint_options INTERFACE -Wall -Wextra -Wpedantic)
if(WIN32)
  target_compile_definitions(vramlint_options INTERFACE _FILE_OFFSET_BITS=64 NOMINMAX
                                                        WIN32_LEAN_AND_MEAN)
endif()
if(VRAMLINT_WERROR)
  target_compile_options(vramlint_options INTERFACE -Werror)
endif()

if(VRAMLINT_SANITIZE)
  # For everything, the C of the grammars as well: an overrun there is found where it happens.
  add_compile_options(-fsanitize=${VRAMLINT_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${VRAMLINT_SANITIZE})
elseif(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT APPLE)
  # The wheel and the extension carry one file that runs on machines with an older libstdc++.
  add_link_options(-static-libstdc++ -static-libgcc)
endif()

if(VRAMLINT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
