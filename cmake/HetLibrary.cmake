# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How the project's libraries and tools are declared.
#
# het_add_library(<name> LAYER <n> [SHARED|MODULE] [LLVM|SMALL] SOURCES … [DEPENDS …] [LINK …])
#   LAYER    the library's place in the way of the data (design: Base 0, Package 1,
#            IR 2, Transforms 3, Frontend 4, Driver 5, runtime 2-3, targets 4).
#            A library may depend on libraries of its own layer or below; anything
#            else stops the configuration.
#   LLVM     it includes LLVM's or MLIR's headers, and links LLVM. Only such a library
#            may depend on another such.
#   SMALL    it is part of libhetrt.so, which is optimised for size.
#   DEPENDS  libraries of this project.    LINK  libraries of others.
#
# het_add_device(<target> SOURCES … DEPENDS … [LINK …])
#   A target's device plug-in.
#
# het_add_tool(<name> [LLVM] SOURCES … DEPENDS … [LINK …])
include(HetPrecompile)
include(HetLowering)

# Functions that clang inlines at -Os up to a cost of 50 have calls above 25: a tenth of the
# size, 3% of a launch's time on the host.
set(HET_SMALL_OPTIONS "$<$<CONFIG:Release>:-Os;SHELL:-mllvm -inline-threshold=25>" -ffunction-sections -fdata-sections)

function(het_check_layer name)
  get_target_property(own ${name} HET_LAYER)
  get_target_property(own_llvm ${name} HET_LLVM)
  foreach(dependency IN LISTS ARGN)
    if(NOT TARGET ${dependency})
      message(FATAL_ERROR "${name} depends on ${dependency}, which is not declared (yet)")
    endif()
    get_target_property(layer ${dependency} HET_LAYER)
    get_target_property(llvm ${dependency} HET_LLVM)
    if(layer GREATER own)
      message(FATAL_ERROR "layering: ${name} (layer ${own}) depends on ${dependency} (layer ${layer})")
    endif()
    if(llvm AND NOT own_llvm)
      message(FATAL_ERROR "layering: ${name} links no LLVM but depends on ${dependency}, which does")
    endif()
  endforeach()
endfunction()

function(het_llvm_options name)
  target_include_directories(${name} SYSTEM PRIVATE
    ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_definitions(${name} PRIVATE ${definitions})
  target_link_libraries(${name} PRIVATE LLVM)
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${name} PRIVATE -fno-rtti)
  endif()
endfunction()

function(het_common_options name)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter)
endfunction()

# What is installed holds only what it uses, and names for debuggers only in a build that
# is to have them.
function(het_trim name)
  target_link_options(${name} PRIVATE LINKER:--gc-sections
    $<$<CONFIG:Release,MinSizeRel>:LINKER:--strip-all>)
endfunction()

# An installed file finds ours relative to its own place, wherever that is moved,
# and LLVM where it was found.
function(het_run_path name)
  set(paths ${ARGN})
  get_target_property(llvm ${name} HET_LLVM)
  if(llvm)
    list(APPEND paths ${LLVM_LIBRARY_DIR})
  endif()
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "${paths}")
endfunction()

function(het_add_library name)
  cmake_parse_arguments(ARG "LLVM;SMALL;SHARED;MODULE" "LAYER" "SOURCES;DEPENDS;LINK" ${ARGN})
  if(NOT DEFINED ARG_LAYER)
    message(FATAL_ERROR "het_add_library(${name}): no LAYER")
  endif()
  set(kind STATIC)
  if(ARG_SHARED)
    set(kind SHARED)
  elseif(ARG_MODULE)
    set(kind MODULE)
  endif()
  add_library(${name} ${kind} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES HET_LAYER ${ARG_LAYER} HET_LLVM "${ARG_LLVM}")
  het_check_layer(${name} ${ARG_DEPENDS})
  het_common_options(${name})
  if(ARG_LLVM)
    het_llvm_options(${name})
    het_use_precompiled_headers(${name} het-llvm-headers)
    add_dependencies(${name} het-tablegen)
  elseif(ARG_SMALL)
    target_compile_options(${name} PRIVATE ${HET_SMALL_OPTIONS})
    het_use_precompiled_headers(${name} het-small-headers)
  else()
    het_use_precompiled_headers(${name} het-standard-headers)
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS} PRIVATE ${ARG_LINK})
  if(ARG_MODULE) # a target's plug-in, in lib/het/targets
    het_run_path(${name} "\$ORIGIN/../..")
  elseif(ARG_SHARED)
    het_run_path(${name} "\$ORIGIN")
  endif()
  if(NOT kind STREQUAL STATIC)
    het_trim(${name})
    set_property(GLOBAL APPEND PROPERTY HET_PRODUCTS ${name})
  endif()
endfunction()

function(het_add_device target)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  set(name het-${target}-device)
  het_add_library(${name} MODULE LAYER 4 SOURCES ${ARG_SOURCES} DEPENDS ${ARG_DEPENDS}
    LINK ${ARG_LINK} het-${target}-lowering-version)
  set_target_properties(${name} PROPERTIES PREFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/het/targets)
  install(TARGETS ${name} DESTINATION lib/het/targets)
endfunction()

# Sources of the target #embed these files, which ccache does not see by itself.
function(het_embeds target)
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache)
    return()
  endif()
  list(JOIN ARGN ":" files)
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND};-E;env;CCACHE_EXTRAFILES=${files};${CMAKE_CXX_COMPILER_LAUNCHER}")
endfunction()

function(het_add_tool name)
  cmake_parse_arguments(ARG "LLVM" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES HET_LAYER 9 HET_LLVM "${ARG_LLVM}")
  het_check_layer(${name} ${ARG_DEPENDS})
  het_common_options(${name})
  if(ARG_LLVM)
    het_llvm_options(${name})
    add_dependencies(${name} het-tablegen)
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} ${ARG_LINK})
  het_run_path(${name} "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  het_trim(${name})
  set_property(GLOBAL APPEND PROPERTY HET_PRODUCTS ${name})
  install(TARGETS ${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
