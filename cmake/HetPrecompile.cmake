# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Headers that are read once for many libraries. Sources still include all that they
# need: with HET_PRECOMPILED_HEADERS=OFF everything builds as well, and a source with MLIR
# takes 9 seconds instead of 2.5.
#
# het_precompiled_headers(<name> [LLVM|SMALL] [PROGRAMS] HEADERS …)
#   The headers, as an object library that others take them from.
#   LLVM, SMALL: as of het_add_library.
#   PROGRAMS  for programs (-fPIE); else for libraries (-fPIC). The compiler refuses headers
#             of the other kind.
#
# het_use_precompiled_headers(<target> <name>)
#   The target's sources begin with them. It has all of their definitions.
option(HET_PRECOMPILED_HEADERS "Read LLVM's, MLIR's and the C++ library's headers once" ON)

function(het_precompiled_headers name)
  cmake_parse_arguments(ARG "LLVM;SMALL;PROGRAMS" "" "HEADERS" ${ARGN})
  if(NOT HET_PRECOMPILED_HEADERS)
    return()
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Nothing but the headers of ${name}.\n")
  add_library(${name} OBJECT ${source})
  het_common_options(${name})
  if(ARG_LLVM)
    het_llvm_options(${name})
  elseif(ARG_SMALL)
    target_compile_options(${name} PRIVATE ${HET_SMALL_OPTIONS})
  endif()
  if(ARG_PROGRAMS)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIE)
  endif()
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  # The same headers give the same file, by which ccache knows it.
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

function(het_use_precompiled_headers target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
