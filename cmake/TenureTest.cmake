# SPDX-License-Identifier: Apache-2.0
# tenure_add_test: one doctest program, each of its cases one CTest entry.
#
#   tenure_add_test(<area.noun> SOURCES <file>... [LINK <target>...] [LABELS <label>...]
#                   [DEFINITIONS <NAME=value>...] [DEPENDS <target>...])
#
# LINK takes tenure_core_objects (with access to core/src) or tenure::tenure, never both.

find_package(doctest REQUIRED)
include(doctest)

function(tenure_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK;LABELS;DEFINITIONS;DEPENDS")
  string(REPLACE "." "_" target "test_${name}")
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE tenure_test_support ${arg_LINK})
  tenure_target_defaults(${target})
  if("tenure_core_objects" IN_LIST arg_LINK)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/core/src)
  endif()
  target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
  if(arg_DEPENDS)
    add_dependencies(${target} ${arg_DEPENDS})
  endif()
  string(REGEX REPLACE "\\..*" "" area ${name})
  doctest_discover_tests(${target} TEST_PREFIX "${name}: " PROPERTIES LABELS "${area}" TIMEOUT 300)
endfunction()
