# SPDX-License-Identifier: MIT
# tree-sitter and its grammars as static C libraries: `tree_sitter_core`, and for each package
# `tree-sitter-<language>` a `tree_sitter_<language>`. Other people's code: optimised in every build
# type, and without our warnings. A package may stand in a scope, as in `@tree-sitter-grammars/`.

include(fetch_grammars)

function(vramlint_add_c_library name)
  add_library(${name} STATIC ${ARGN})
  set_target_properties(${name} PROPERTIES C_STANDARD 11 C_EXTENSIONS ON POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name} PRIVATE -O3 -w)  # half of a run is parsing: 6 % less than -O2
endfunction()

set(vramlint_grammar_folder ${CMAKE_SOURCE_DIR}/grammars/node_modules)
set(vramlint_grammar_packages tree-sitter)
set(core ${vramlint_grammar_folder}/tree-sitter/vendor/tree-sitter/lib)
vramlint_add_c_library(tree_sitter_core ${core}/src/lib.c)
target_include_directories(tree_sitter_core SYSTEM PUBLIC ${core}/include PRIVATE ${core}/src)

add_library(vramlint_grammars INTERFACE)
target_link_libraries(vramlint_grammars INTERFACE tree_sitter_core)

file(GLOB parsers RELATIVE ${vramlint_grammar_folder}
     ${vramlint_grammar_folder}/tree-sitter-*/src/parser.c
     ${vramlint_grammar_folder}/@*/tree-sitter-*/src/parser.c)
foreach(parser IN LISTS parsers)
  string(REGEX MATCH "^(.*tree-sitter-([^/]+))/src/" matched ${parser})
  list(APPEND vramlint_grammar_packages ${CMAKE_MATCH_1})
  set(grammar tree_sitter_${CMAKE_MATCH_2})
  set(sources ${vramlint_grammar_folder}/${CMAKE_MATCH_1}/src)
  file(GLOB scanner ${sources}/scanner.c)
  vramlint_add_c_library(${grammar} ${sources}/parser.c ${scanner})
  target_include_directories(${grammar} PRIVATE ${sources})
  target_link_libraries(vramlint_grammars INTERFACE ${grammar})
endforeach()
