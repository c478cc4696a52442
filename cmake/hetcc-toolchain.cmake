# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DCMAKE_TOOLCHAIN_FILE=<prefix>/lib/cmake/hetcc/hetcc-toolchain.cmake
#
# Makes hetcc the compiler of the language CUDA, and this installation the CUDA
# toolkit that find_package(CUDAToolkit) finds.
get_filename_component(HET_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(CMAKE_CUDA_COMPILER "${HET_PREFIX}/bin/hetcc")
set(CUDAToolkit_ROOT "${HET_PREFIX}/lib/het")
