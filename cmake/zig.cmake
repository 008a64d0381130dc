# SPDX-License-Identifier: MIT
# Toolchain for another system than this one: zig is a C++ compiler that carries the C library of
# each. Given by `./dev wheels`: ZIG, the program, and VRAMLINT_TARGET, zig's name of the system, as
# in `aarch64-linux-gnu.2.17`.

set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ZIG VRAMLINT_TARGET)

string(REGEX MATCH "^([^-]+)-([a-z]+)" matched ${VRAMLINT_TARGET})
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_MATCH_1})
set(CMAKE_SYSTEM_NAME ${CMAKE_MATCH_2})
string(REPLACE linux Linux CMAKE_SYSTEM_NAME ${CMAKE_SYSTEM_NAME})
string(REPLACE macos Darwin CMAKE_SYSTEM_NAME ${CMAKE_SYSTEM_NAME})
string(REPLACE windows Windows CMAKE_SYSTEM_NAME ${CMAKE_SYSTEM_NAME})

# CMake wants one program for each tool, without arguments.
foreach(tool IN ITEMS ar ranlib rc)
  set(script ${CMAKE_BINARY_DIR}/zig-${tool})
  file(CONFIGURE OUTPUT ${script} CONTENT "#!/bin/sh\nexec '${ZIG}' ${tool} \"$@\"\n" @ONLY)
  file(CHMOD ${script} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()
# The same options from CMake's first trial on: zig compiles its own libraries for each combination.
set(CMAKE_C_COMPILER ${ZIG} cc -target ${VRAMLINT_TARGET} -O2 -s)
set(CMAKE_CXX_COMPILER ${ZIG} c++ -target ${VRAMLINT_TARGET} -O2 -s)
if(CMAKE_SYSTEM_NAME STREQUAL Darwin)
  set(CMAKE_CXX_FLAGS_INIT "-include ${CMAKE_CURRENT_LIST_DIR}/zig_macos.h")
endif()
set(CMAKE_AR ${CMAKE_BINARY_DIR}/zig-ar)
set(CMAKE_RANLIB ${CMAKE_BINARY_DIR}/zig-ranlib)
set(CMAKE_RC_COMPILER ${CMAKE_BINARY_DIR}/zig-rc)

# Nothing of this system: the sdist carries all that is needed.
set(CMAKE_FIND_ROOT_PATH ${CMAKE_CURRENT_LIST_DIR}/../third_party)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
