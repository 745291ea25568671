# SPDX-License-Identifier: Apache-2.0
# tenure_add_provider: a provider plugin. Also installed, for authors outside this tree.
#
#   tenure_add_provider(<target> SOURCES <file>... [LINK_PRIVATE <library>...])
#
# Makes a MODULE target lib<target>.so with hidden symbols, one exported function, no dependency on
# Tenure's libraries, resolved symbols and read-only relocations. Its RUNPATH is $ORIGIN once installed; in
# an author's build tree the folders of the libraries it links follow. Where tests are enabled and provider-probe is
# at hand, <target>.conformance checks the file against the contract.

set(TENURE_PROVIDER_EXPORTS ${CMAKE_CURRENT_LIST_DIR}/provider_exports.map)

# Whether sanitizer flags given before tenure_add_provider reach the target.
function(tenure_is_sanitized target out)
  get_target_property(options ${target} COMPILE_OPTIONS)
  get_target_property(link_options ${target} LINK_OPTIONS)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  set(flags "${options} ${link_options} ${CMAKE_MODULE_LINKER_FLAGS} ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}} "
            "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  string(FIND "${flags}" "-fsanitize=" place)
  if(place EQUAL -1)
    set(${out} FALSE PARENT_SCOPE)
  else()
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

function(tenure_add_provider target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK_PRIVATE")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "tenure_add_provider(${target}): expected SOURCES <file>... [LINK_PRIVATE <library>...], "
                        "found '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  add_library(${target} MODULE ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE tenure::sdk ${arg_LINK_PRIVATE})
  set_target_properties(
    ${target}
    PROPERTIES C_VISIBILITY_PRESET hidden
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               POSITION_INDEPENDENT_CODE ON
               BUILD_RPATH "$ORIGIN"
               INSTALL_RPATH "$ORIGIN"
               LINK_DEPENDS ${TENURE_PROVIDER_EXPORTS})
  if(TENURE_PROVIDER_OUTPUT_DIRECTORY)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${TENURE_PROVIDER_OUTPUT_DIRECTORY})
  endif()
  # Targets of Tenure's own tree; an author's project brings its own warnings and sanitizers.
  if(COMMAND tenure_target_defaults)
    tenure_target_defaults(${target})
    set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
  endif()
  # A unique symbol would be shared between providers and keep the image from ever being unmapped.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  target_link_options(
    ${target} PRIVATE "LINKER:--version-script=${TENURE_PROVIDER_EXPORTS}" "LINKER:--exclude-libs,ALL" "LINKER:-z,now"
    "LINKER:-z,relro" "LINKER:-z,noexecstack" "LINKER:-z,nodelete" "LINKER:--build-id" "LINKER:--enable-new-dtags")
  # Clang leaves the sanitizer run-time to the executable, so its symbols stay undefined here.
  tenure_is_sanitized(${target} is_sanitized)
  if(NOT (is_sanitized AND "${CMAKE_C_COMPILER_ID} ${CMAKE_CXX_COMPILER_ID}" MATCHES "Clang"))
    target_link_options(${target} PRIVATE "LINKER:-z,defs")
  endif()
  # In Tenure's own tree the probe is a target, elsewhere a program that find_package looked for.
  if(TARGET provider_probe)
    set(probe $<TARGET_FILE:provider_probe>)
  elseif(TENURE_PROVIDER_PROBE)
    set(probe ${TENURE_PROVIDER_PROBE})
  endif()
  if(probe)
    add_test(NAME ${target}.conformance COMMAND ${probe} check $<TARGET_FILE:${target}>)
    # 6 says that the provider is sound but has no device or driver here. Under AddressSanitizer a refused
    # allocation must be an answer as it is without.
    set_tests_properties(${target}.conformance PROPERTIES LABELS conformance SKIP_RETURN_CODE 6 ENVIRONMENT
                                                          ASAN_OPTIONS=allocator_may_return_null=1)
  endif()
endfunction()
