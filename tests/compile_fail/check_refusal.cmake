# SPDX-License-Identifier: Apache-2.0
# check_refusal: SOURCE compiles; with a CASE of it defined it does not, in the words that the case expects.
#
#   cmake -DCOMPILER=<c++> -DSOURCE=<file> -DINCLUDES=<folder>,... [-DCASE=<name>] -P check_refusal.cmake

string(REPLACE "," ";-I" includes "-I${INCLUDES}")
set(compile ${COMPILER} -std=c++20 -fsyntax-only ${includes} ${SOURCE})

if(NOT CASE)
  execute_process(COMMAND ${compile} RESULT_VARIABLE code ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${SOURCE} should compile when nothing is to be refused, but:\n${text}")
  endif()
  return()
endif()

file(STRINGS ${SOURCE} line REGEX "^#ifdef REFUSE_${CASE}  // expect: ")
string(REGEX REPLACE ".*// expect: " "" expected "${line}")
if(expected STREQUAL "")
  message(FATAL_ERROR "${SOURCE} has no line `#ifdef REFUSE_${CASE}  // expect: ...`")
endif()
execute_process(COMMAND ${compile} -DREFUSE_${CASE} RESULT_VARIABLE code ERROR_VARIABLE text)
if(code EQUAL 0)
  message(FATAL_ERROR "${CASE} compiles; it must not")
endif()
string(REGEX MATCHALL "[^\n]*error:[^\n]*" errors "${text}")
if(NOT "${errors}" MATCHES "${expected}")
  message(FATAL_ERROR "${CASE} is refused, but not in the expected words '${expected}':\n${text}")
endif()
