# SPDX-License-Identifier: Apache-2.0
# The serial build of OpenBLAS as a static library: target OpenBlasSerial::OpenBlasSerial.
#
# The threaded builds start threads when they are loaded, and a shared one would be shared with the host.
find_path(
  OpenBlasSerial_INCLUDE_DIR
  NAMES cblas.h
  PATH_SUFFIXES openblas-serial ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial)
find_library(
  OpenBlasSerial_LIBRARY
  NAMES libopenblas.a
  PATH_SUFFIXES openblas-serial ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial)
# OpenBLAS carries LAPACK, whose Fortran run-time belongs to the compiler and lies where only it looks.
execute_process(
  COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgfortran.so
  OUTPUT_VARIABLE OpenBlasSerial_FORTRAN_LIBRARY
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT IS_ABSOLUTE "${OpenBlasSerial_FORTRAN_LIBRARY}")
  set(OpenBlasSerial_FORTRAN_LIBRARY OpenBlasSerial_FORTRAN_LIBRARY-NOTFOUND)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  OpenBlasSerial
  REQUIRED_VARS OpenBlasSerial_LIBRARY OpenBlasSerial_INCLUDE_DIR OpenBlasSerial_FORTRAN_LIBRARY
  REASON_FAILURE_MESSAGE "install libopenblas-serial-dev and the libgfortran-dev of your compiler")

if(OpenBlasSerial_FOUND AND NOT TARGET OpenBlasSerial::OpenBlasSerial)
  add_library(OpenBlasSerial::OpenBlasSerial STATIC IMPORTED)
  set_target_properties(
    OpenBlasSerial::OpenBlasSerial
    PROPERTIES IMPORTED_LOCATION ${OpenBlasSerial_LIBRARY}
               INTERFACE_INCLUDE_DIRECTORIES ${OpenBlasSerial_INCLUDE_DIR}
               INTERFACE_LINK_LIBRARIES "${OpenBlasSerial_FORTRAN_LIBRARY};m")
endif()
mark_as_advanced(OpenBlasSerial_INCLUDE_DIR OpenBlasSerial_LIBRARY)
