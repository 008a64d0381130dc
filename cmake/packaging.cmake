# SPDX-License-Identifier: MIT
# What leaves the build: the program with the licenses of what is compiled into it, and for the
# sdist the sources of others, so that installing it asks for a C++ compiler only.

# Inside a wheel the program goes where pip puts scripts.
if(SKBUILD)
  set(install_bin ${SKBUILD_SCRIPTS_DIR})
  set(install_notices ${SKBUILD_METADATA_DIR}/licenses)
  set(install_lib ${SKBUILD_DATA_DIR}/lib/vramlint)
else()
  include(GNUInstallDirs)
  set(install_bin ${CMAKE_INSTALL_BINDIR})
  set(install_notices ${CMAKE_INSTALL_DOCDIR})
  set(install_lib lib/vramlint)
endif()

if(VRAMLINT_PROGRAM)
  add_custom_target(vramlint)
  install(PROGRAMS ${VRAMLINT_PROGRAM} DESTINATION ${install_bin})
elseif(TARGET vramlint)
  install(TARGETS vramlint RUNTIME DESTINATION ${install_bin})
endif()
if(TARGET vramlint_recorder)
  install(TARGETS vramlint_recorder LIBRARY DESTINATION ${install_lib})
endif()

# The license of each library: by the name of its package in the sdist, else where Debian keeps it.
# The grammars bring theirs along.
set(licenses "")
set(licenses_missing "")
foreach(package IN LISTS vramlint_header_packages)
  find_file(${package}_LICENSE NAMES ${package}/copyright
            NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH
            PATHS ${CMAKE_SOURCE_DIR}/third_party/licenses ${${package}_INCLUDE}/../share/doc)
  if(${package}_LICENSE)
    list(APPEND licenses ${${package}_LICENSE})
  else()
    list(APPEND licenses_missing ${package})
  endif()
endforeach()
foreach(package IN LISTS vramlint_grammar_packages)
  file(GLOB_RECURSE found ${vramlint_grammar_folder}/${package}/LICENSE)
  list(APPEND licenses ${found})
endforeach()
set(notices "vramlint contains the work of others, under the terms below.\n")
foreach(license IN LISTS licenses VRAMLINT_RUNTIME_LICENSES)
  cmake_path(GET license PARENT_PATH folder)
  cmake_path(GET folder FILENAME name)
  file(READ ${license} terms)
  string(APPEND notices "\n==== ${name}\n\n${terms}")
endforeach()
file(WRITE ${CMAKE_BINARY_DIR}/THIRD_PARTY_NOTICES.txt "${notices}")
set(notices ${CMAKE_BINARY_DIR}/THIRD_PARTY_NOTICES.txt)
install(FILES ${notices} DESTINATION ${install_notices})
if(NOT SKBUILD)
  install(FILES LICENSE DESTINATION ${install_notices})
endif()

# pyproject.toml takes this folder into the sdist.
if(SKBUILD_STATE STREQUAL "sdist")
  if(licenses_missing)
    message(FATAL_ERROR " vramlint: no license of ${licenses_missing}; make sdists on Debian")
  endif()
  set(sdist ${CMAKE_SOURCE_DIR}/build/sdist)
  file(REMOVE_RECURSE ${sdist})
  foreach(header package IN ZIP_LISTS vramlint_headers vramlint_header_packages)
    cmake_path(GET header PARENT_PATH folder)
    file(COPY ${${package}_INCLUDE}/${folder} DESTINATION ${sdist}/third_party/include)
    file(COPY ${${package}_LICENSE} DESTINATION ${sdist}/third_party/licenses/${package})
  endforeach()
  foreach(grammar IN LISTS vramlint_grammar_packages)
    file(COPY ${vramlint_grammar_folder}/${grammar}/
         DESTINATION ${sdist}/grammars/node_modules/${grammar}
         FILES_MATCHING PATTERN "*.c" PATTERN "*.h" PATTERN "LICENSE" PATTERN "package.json")
  endforeach()
  file(COPY ${grammars_stamp} DESTINATION ${sdist}/grammars/node_modules)
endif()
