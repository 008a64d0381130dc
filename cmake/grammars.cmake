# SPDX-License-Identifier: MIT
# tree-sitter and its grammars as static C libraries: `tree_sitter_core`, and for each package
# `tree-sitter-<language>` a `tree_sitter_<language>`. Other people's code: optimised in every build
# type, and without our warnings. A package may stand in a scope, as in `@tree-sitter-grammars/`.

include(fetch_grammars)

function(vramlint_add_c_library name)
  add_library(${name} STATIC ${ARGN})
  set_target_properties(${name} PROPERTIES C_STANDARD 11 C_EXTENSIONS ON POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name} PRIVATE -O2 -w)
endfunction()

set(core ${CMAKE_SOURCE_DIR}/grammars/node_modules/tree-sitter/vendor/tree-sitter/lib)
vramlint_add_c_library(tree_sitter_core ${core}/src/lib.c)
target_include_directories(tree_sitter_core SYSTEM PUBLIC ${core}/include PRIVATE ${core}/src)

add_library(vramlint_grammars INTERFACE)
target_link_libraries(vramlint_grammars INTERFACE tree_sitter_core)

set(packages ${CMAKE_SOURCE_DIR}/grammars/node_modules)
file(GLOB parsers ${packages}/tree-sitter-*/src/parser.c ${packages}/@*/tree-sitter-*/src/parser.c)
foreach(parser IN LISTS parsers)
  cmake_path(GET parser PARENT_PATH sources)
  string(REGEX REPLACE ".*/tree-sitter-([^/]+)/src$" "tree_sitter_\\1" grammar ${sources})
  file(GLOB scanner ${sources}/scanner.c)
  vramlint_add_c_library(${grammar} ${parser} ${scanner})
  target_include_directories(${grammar} PRIVATE ${sources})
  target_link_libraries(vramlint_grammars INTERFACE ${grammar})
endforeach()
