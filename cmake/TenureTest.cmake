# SPDX-License-Identifier: Apache-2.0
# tenure_add_test: one doctest program, each of its cases one CTest entry.
#
#   tenure_add_test(<area.noun> SOURCES <file>... [LINK <target>...] [DEFINITIONS <NAME=value>...]
#                   [DEPENDS <target>...] [THREADS])
#
# LINK takes tenure_core_objects (with access to core/src) or tenure::tenure, never both. The label is
# the area; with THREADS it is `threads`, and the program is built by tenure_thread_tests, which the
# tsan preset runs. (doctest_discover_tests keeps only the first of several labels.)

find_package(doctest REQUIRED)
include(doctest)

# Linking takes a good part of the tests' build; nothing that is installed is linked with it.
find_program(TENURE_MOLD mold)

add_custom_target(tenure_thread_tests)

function(tenure_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "THREADS" "" "SOURCES;LINK;DEFINITIONS;DEPENDS")
  string(REPLACE "." "_" target "test_${name}")
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE tenure_test_support ${arg_LINK})
  tenure_target_defaults(${target})
  if("tenure_core_objects" IN_LIST arg_LINK)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/core/src)
  endif()
  if(TENURE_PRECOMPILED_HEADERS)
    set(includes plain)
    if("tenure_core_objects" IN_LIST arg_LINK OR "tenure::tenure" IN_LIST arg_LINK)
      set(includes core)
    endif()
    target_precompile_headers(${target} REUSE_FROM tenure_precompiled_${includes})
    set(sources_in_c ${arg_SOURCES})
    list(FILTER sources_in_c INCLUDE REGEX "\\.c$")
    set_source_files_properties(${sources_in_c} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  endif()
  if(TENURE_MOLD)
    target_link_options(${target} PRIVATE -fuse-ld=mold)
  endif()
  target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
  if(arg_DEPENDS)
    add_dependencies(${target} ${arg_DEPENDS})
  endif()
  string(REGEX REPLACE "\\..*" "" label ${name})
  if(arg_THREADS)
    set(label threads)
    add_dependencies(tenure_thread_tests ${target})
  endif()
  doctest_discover_tests(${target} TEST_PREFIX "${name}: " PROPERTIES LABELS "${label}" TIMEOUT 300)
endfunction()
