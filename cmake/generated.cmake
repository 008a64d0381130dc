# SPDX-License-Identifier: MIT
# What the build writes into <build>/generated: the knowledge tables from rules/, the tables of folders
# that are lists (checks, output formats), and the version.
# `vramlint_generated_<stage>` are the sources that the library of that stage takes in.

set(generated ${CMAKE_BINARY_DIR}/generated)
configure_file(cmake/version.h.in ${generated}/vramlint_version.h @ONLY)

# The tables. The compiler is told its inputs by a file, so that one that vanishes is noticed too.
file(GLOB compiler_sources CONFIGURE_DEPENDS cmake/knowledge_compiler/*.cpp)
if(VRAMLINT_KNOWLEDGE_COMPILER)
  add_executable(knowledge_compiler IMPORTED)
  set_target_properties(knowledge_compiler PROPERTIES
                        IMPORTED_LOCATION ${VRAMLINT_KNOWLEDGE_COMPILER})
else()
  add_executable(knowledge_compiler ${compiler_sources})
  target_link_libraries(knowledge_compiler PRIVATE vramlint_toml vramlint_options)
endif()

file(GLOB knowledge_inputs RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS
     rules/knowledge/*.toml rules/*/*.md rules/evidence/*.py src/rules/checks/*.cpp)
list(FILTER knowledge_inputs EXCLUDE REGEX "/README\\.md$|^rules/(knowledge|evidence)/.*\\.md$")
list(JOIN knowledge_inputs "\n" listing)
file(CONFIGURE OUTPUT ${generated}/knowledge_inputs.txt CONTENT "${listing}\n" @ONLY)
list(FILTER knowledge_inputs INCLUDE REGEX "\\.(toml|md)$")

add_custom_command(
  OUTPUT ${generated}/knowledge_tables.h ${generated}/knowledge_tables.cpp
  COMMAND knowledge_compiler ${generated}/knowledge_inputs.txt ${generated}
          $<$<BOOL:${VRAMLINT_STRICT_PAGES}>:--strict>
  DEPENDS knowledge_compiler ${generated}/knowledge_inputs.txt ${knowledge_inputs}
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
  COMMENT "Compiling the knowledge tables"
  VERBATIM)
add_custom_target(vramlint_tables DEPENDS ${generated}/knowledge_tables.h)
# Else g++ only warns where a row has a string for a number or a flag.
set_source_files_properties(${generated}/knowledge_tables.cpp PROPERTIES
                            COMPILE_OPTIONS -Werror=narrowing)
set(vramlint_generated_knowledge ${generated}/knowledge_tables.cpp)

# Folders that are lists. Each file `<name>.cpp` of FOLDER defines a function `<PREFIX>_<name>`; the
# table FUNCTION() gives their names and addresses as structs ENTRY, whose MEMBER is the address.
# Left out while HEADER, which declares all of these, is missing.
function(vramlint_list_folder stage)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;HEADER;ENTRY;MEMBER;PREFIX;FUNCTION" "")
  file(GLOB present CONFIGURE_DEPENDS src/${arg_HEADER})
  if(NOT present)
    return()
  endif()
  file(GLOB files CONFIGURE_DEPENDS ${arg_FOLDER}/*.cpp)
  set(declarations "")
  set(entries "")
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    string(APPEND declarations "FolderFunction ${arg_PREFIX}_${name};\n")
    string(APPEND entries "    ${arg_ENTRY}{\"${name}\", ${arg_PREFIX}_${name}},\n")
  endforeach()
  list(LENGTH files count)
  set(table ${generated}/${arg_FUNCTION}.cpp)
  configure_file(cmake/folder_table.cpp.in ${table} @ONLY)
  set(vramlint_generated_${stage} ${table} PARENT_SCOPE)
endfunction()

vramlint_list_folder(rules FOLDER src/rules/checks HEADER rules/check.h
                     ENTRY CheckEntry MEMBER run PREFIX check FUNCTION all_checks)
vramlint_list_folder(output FOLDER src/output/formats HEADER output/format.h
                     ENTRY Format MEMBER write PREFIX write FUNCTION all_formats)

# The Python that `validate` and `doctor` run, as texts in the program.
file(GLOB python_files CONFIGURE_DEPENDS src/validate/python/*.py)
set(entries "")
foreach(file IN LISTS python_files)
  cmake_path(GET file FILENAME name)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"python(${text})python\"},\n")
endforeach()
list(LENGTH python_files count)
configure_file(cmake/python_files.cpp.in ${generated}/python_files.cpp @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${python_files})
set(vramlint_generated_validate ${generated}/python_files.cpp)
