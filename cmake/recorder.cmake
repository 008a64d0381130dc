# SPDX-License-Identifier: MIT
# The recorder of `validate`: a library that the CUDA driver loads into the program that is
# measured. It needs the headers of CUDA and CUPTI, from the CUDA Toolkit or from the wheels that
# `./dev setup` unpacks into build-cuda/; nothing of CUDA is linked. Without the headers it is left
# out, and `validate` measures with what the driver and PyTorch tell.

set(vramlint_cuda_includes "")
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  find_path(VRAMLINT_CUDA_INCLUDE cuda.h
            HINTS ${CMAKE_SOURCE_DIR}/build-cuda/nvidia/cu13/include ENV CUDA_PATH
                  /usr/local/cuda/include
            PATH_SUFFIXES include)
  find_path(VRAMLINT_CUPTI_INCLUDE cupti.h
            HINTS ${VRAMLINT_CUDA_INCLUDE} ${VRAMLINT_CUDA_INCLUDE}/../extras/CUPTI/include)
  if(VRAMLINT_CUDA_INCLUDE AND VRAMLINT_CUPTI_INCLUDE)
    set(vramlint_cuda_includes ${VRAMLINT_CUDA_INCLUDE} ${VRAMLINT_CUPTI_INCLUDE})
  endif()
endif()

if(vramlint_cuda_includes)
  file(GLOB recorder_sources CONFIGURE_DEPENDS src/cuda/recorder/*.cpp)
  add_library(vramlint_recorder MODULE ${recorder_sources})
  target_include_directories(vramlint_recorder SYSTEM PRIVATE ${vramlint_cuda_includes})
  target_link_libraries(vramlint_recorder PRIVATE vramlint_options Threads::Threads
                                                  ${CMAKE_DL_LIBS})
  set_target_properties(vramlint_recorder PROPERTIES
                        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  # It lives in a process that is not built with sanitizers.
  target_compile_options(vramlint_recorder PRIVATE -fno-sanitize=all)
  target_link_options(vramlint_recorder PRIVATE -fno-sanitize=all)
  if(TARGET vramlint)
    add_dependencies(vramlint vramlint_recorder)
  endif()
else()
  message(WARNING " vramlint: no headers of CUDA and CUPTI (`./dev setup` brings them): the "
                  "recorder of `vramlint validate` is left out")
endif()
