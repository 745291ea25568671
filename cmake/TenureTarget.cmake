# SPDX-License-Identifier: Apache-2.0
# What every target of this project is compiled with.

option(TENURE_PRECOMPILED_HEADERS
       "Parse once what most files include: for a first build, since ccache keeps nothing that is compiled so" OFF)

find_program(TENURE_CCACHE ccache)
if(TENURE_CCACHE AND NOT TENURE_PRECOMPILED_HEADERS)
  set(CMAKE_C_COMPILER_LAUNCHER ${TENURE_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TENURE_CCACHE})
endif()

set(TENURE_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror)
set(TENURE_CXX_WARNINGS -Wold-style-cast -Wnon-virtual-dtor)

set(TENURE_SANITIZER_FLAGS "")
if(TENURE_SANITIZER STREQUAL "address")
  # Undefined behaviour traps, and the address sanitizer shows where. Its own messages would be 40 MB of data
  # that every process relocates when it starts.
  set(TENURE_SANITIZER_FLAGS -fsanitize=address,undefined -fsanitize-undefined-trap-on-error -fno-omit-frame-pointer)
elseif(TENURE_SANITIZER STREQUAL "thread")
  set(TENURE_SANITIZER_FLAGS -fsanitize=thread -fno-omit-frame-pointer)
elseif(NOT TENURE_SANITIZER STREQUAL "")
  message(FATAL_ERROR "TENURE_SANITIZER is '${TENURE_SANITIZER}'; it must be address, thread or empty")
endif()

# Applies warnings as errors, hidden symbols and the chosen sanitizer to a target of this project.
function(tenure_target_defaults target)
  target_compile_options(
    ${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:${TENURE_WARNINGS}> $<$<COMPILE_LANGUAGE:CXX>:${TENURE_CXX_WARNINGS}>
                      $<$<COMPILE_LANGUAGE:C,CXX>:${TENURE_SANITIZER_FLAGS}>)
  target_link_options(${target} PRIVATE ${TENURE_SANITIZER_FLAGS})
  set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# tenure_precompile(<target> <header>...): what most files of the target include. They still include what they
# need, which every build without precompiled headers checks.
function(tenure_precompile target)
  if(TENURE_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
