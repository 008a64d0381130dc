# SPDX-License-Identifier: MIT
# The straight way: one static library `vramlint_<stage>` for each folder of src/ (and src/analyze.*),
# linked to the stages before it only. cmake/check_includes.py reads this list too.

set(vramlint_stages
    support text knowledge settings prefilter syntax model frontends replay diagnostics rules analyze
    fix output config lint lsp cuda validate cli)

set(vramlint_stage_targets)
foreach(stage IN LISTS vramlint_stages)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/${stage}/*.cpp)
  file(GLOB stage_source CONFIGURE_DEPENDS src/${stage}.cpp)
  list(APPEND sources ${stage_source} ${vramlint_generated_${stage}})
  list(FILTER sources EXCLUDE REGEX "/cuda/recorder/")  # a library of its own: recorder.cmake
  if(NOT sources)
    continue()
  endif()
  add_library(vramlint_${stage} STATIC ${sources})
  target_link_libraries(vramlint_${stage} PUBLIC ${vramlint_stage_targets} vramlint_options
                                                 vramlint_libraries vramlint_grammars)
  add_dependencies(vramlint_${stage} vramlint_tables)
  list(PREPEND vramlint_stage_targets vramlint_${stage})
endforeach()
