# SPDX-License-Identifier: Apache-2.0
# What an install prefix holds: libtenure and its headers (component core), what a provider author needs
# (component sdk), and the providers.
include(CMakePackageConfigHelpers)

set(TENURE_PACKAGE_DIRECTORY ${CMAKE_INSTALL_LIBDIR}/cmake/tenure)
set(TENURE_PROVIDER_INSTALL_DIRECTORY ${CMAKE_INSTALL_LIBDIR}/tenure/providers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/sdk/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT sdk)
install(
  FILES ${PROJECT_SOURCE_DIR}/cmake/TenureProvider.cmake ${PROJECT_SOURCE_DIR}/cmake/provider_exports.map
  DESTINATION ${TENURE_PACKAGE_DIRECTORY}
  COMPONENT sdk)
install(TARGETS tenure_sdk EXPORT tenure-sdk-targets)
foreach(tool provider_probe pool_report)
  if(TARGET ${tool})
    set_target_properties(${tool} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
    install(TARGETS ${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT core)
  endif()
endforeach()
install(
  EXPORT tenure-sdk-targets
  NAMESPACE tenure::
  DESTINATION ${TENURE_PACKAGE_DIRECTORY}
  COMPONENT sdk)

install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/core/include/ ${PROJECT_BINARY_DIR}/core/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT core
  FILES_MATCHING
  PATTERN "*.hpp"
  PATTERN "*.h")
install(
  TARGETS tenure
  EXPORT tenure-core-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT core NAMELINK_COMPONENT core)
install(
  EXPORT tenure-core-targets
  NAMESPACE tenure::
  DESTINATION ${TENURE_PACKAGE_DIRECTORY}
  COMPONENT core)
foreach(provider tenure_cpu tenure_fake_shared tenure_cuda)
  if(TARGET ${provider})
    install(TARGETS ${provider} LIBRARY DESTINATION ${TENURE_PROVIDER_INSTALL_DIRECTORY} COMPONENT core)
  endif()
endforeach()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/tenure-config.cmake.in ${PROJECT_BINARY_DIR}/tenure-config.cmake
  INSTALL_DESTINATION ${TENURE_PACKAGE_DIRECTORY}
  PATH_VARS TENURE_PROVIDER_INSTALL_DIRECTORY CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tenure-config-version.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/tenure-config.cmake ${PROJECT_BINARY_DIR}/tenure-config-version.cmake
  DESTINATION ${TENURE_PACKAGE_DIRECTORY}
  COMPONENT sdk)
