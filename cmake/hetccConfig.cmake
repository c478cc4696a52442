# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(hetcc) defines
#   hetcc::runtime   the CUDA runtime and driver APIs: headers and library
#   hetcc::compiler  the program hetcc
#   HETCC_TOOLCHAIN_FILE  for CMAKE_TOOLCHAIN_FILE of another project
get_filename_component(HETCC_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(HETCC_TOOLCHAIN_FILE "${CMAKE_CURRENT_LIST_DIR}/hetcc-toolchain.cmake")

if(NOT TARGET hetcc::compiler)
  add_executable(hetcc::compiler IMPORTED)
  set_target_properties(hetcc::compiler PROPERTIES
    IMPORTED_LOCATION "${HETCC_PREFIX}/bin/hetcc")
endif()
if(NOT TARGET hetcc::runtime)
  add_library(hetcc::runtime SHARED IMPORTED)
  set_target_properties(hetcc::runtime PROPERTIES
    IMPORTED_LOCATION "${HETCC_PREFIX}/lib/libhetrt.so"
    INTERFACE_INCLUDE_DIRECTORIES "${HETCC_PREFIX}/lib/het/include")
endif()
