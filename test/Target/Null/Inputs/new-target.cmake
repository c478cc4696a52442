# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One target by itself: lib/Target/${HET_TARGET} and the contract suite over it, with the
# libraries of the build folder HET_BUILD.
cmake_minimum_required(VERSION 3.25)
load_cache(${HET_BUILD} READ_WITH_PREFIX BUILD_
  CMAKE_BUILD_TYPE CMAKE_C_COMPILER CMAKE_CXX_COMPILER HET_LLVM_ROOT HET_SANITIZE
  HET_COVERAGE)
set(CMAKE_C_COMPILER ${BUILD_CMAKE_C_COMPILER})
set(CMAKE_CXX_COMPILER ${BUILD_CMAKE_CXX_COMPILER})
set(CMAKE_BUILD_TYPE ${BUILD_CMAKE_BUILD_TYPE})
set(HET_SANITIZE ${BUILD_HET_SANITIZE} CACHE STRING "")
set(HET_COVERAGE ${BUILD_HET_COVERAGE} CACHE BOOL "")
project(new-target LANGUAGES C CXX)

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_link_options(-fuse-ld=lld)
set(LLVM_CMAKE ${BUILD_HET_LLVM_ROOT}/lib/cmake)
find_package(LLVM REQUIRED CONFIG HINTS ${LLVM_CMAKE}/llvm)
find_package(MLIR REQUIRED CONFIG HINTS ${LLVM_CMAKE}/mlir)
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)
include(GNUInstallDirs)
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
include(HetSanitize)
include(HetCoverage)
include(HetLibrary)
include(HetTests)
include_directories(${PROJECT_SOURCE_DIR}/include ${HET_BUILD}/include)
enable_testing()
add_custom_target(het-tablegen)

foreach(name HetBase HetThreads HetTargetSupport HetIR HetTransforms HetTargetLowering
    HetTargetContract)
  add_library(${name} STATIC IMPORTED)
  set_target_properties(${name} PROPERTIES HET_LAYER 0 HET_LLVM ""
    IMPORTED_LOCATION ${HET_BUILD}/lib/lib${name}.a)
endforeach()
target_link_libraries(HetThreads INTERFACE HetBase Threads::Threads)
target_link_libraries(HetTargetSupport INTERFACE HetThreads)
target_link_libraries(HetTargetContract INTERFACE GTest::gtest Threads::Threads ${CMAKE_DL_LIBS})
target_include_directories(HetTargetContract INTERFACE
  ${PROJECT_SOURCE_DIR}/runtime ${PROJECT_SOURCE_DIR}/test/unit/Target/Contract)
target_compile_definitions(HetTargetContract INTERFACE
  HET_TEST_TARGETS="${CMAKE_BINARY_DIR}/lib/het/targets")

add_subdirectory(lib/Target/${HET_TARGET})
het_link_lowerings()
add_subdirectory(test/unit/Target/${HET_TARGET})
