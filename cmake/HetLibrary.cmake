# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How the project's libraries and tools are declared.
#
# het_add_library(<name> LAYER <n> [SHARED|MODULE] [LLVM] SOURCES … [DEPENDS …] [LINK …])
#   LAYER    the library's place in the way of the data (design: Base 0, Package 1,
#            IR 2, Transforms 3, Frontend 4, Driver 5, runtime 2-3, targets 4).
#            A library may depend on libraries of its own layer or below; anything
#            else stops the configuration.
#   LLVM     it includes LLVM's or MLIR's headers, and links LLVM. Only such a library
#            may depend on another such.
#   DEPENDS  libraries of this project.    LINK  libraries of others.
#
# het_add_device(<target> SOURCES … DEPENDS … [LINK …])
#   A target's device plug-in.
#
# het_add_lowering(<target> SOURCES … DEPENDS … [FROM …])
#   A target's lowering plug-in. It holds the parts of LLVM that it needs, out of the
#   static libraries, and shows none of their symbols: that opens in a seventh of the
#   time, and several of them live in one process. DEPENDS names all libraries of this
#   project that go into it. FROM: see het_lowering_version.
#
# het_lowering_version(<target> DEPENDS … [FROM …])
#   The lowering's version for both plug-ins, het-<target>-lowering-version: a library of
#   one header, LoweringVersion.h, with a digest of all sources that an artifact depends
#   on. They are those of the libraries in DEPENDS, the headers of
#   include/het/{DeviceABI,IR,Transforms,Target} and of the target's folder, the device
#   library, and the folders FROM, relative to the target's.
#
# het_device_code(<variable> DEPENDS …)
#   DeviceCode.c of this folder, functions that a target's kernels call, as bitcode that
#   names no machine; the variable gets its path. DEPENDS names the target's headers in it.
#
# het_add_tool(<name> [LLVM] SOURCES … DEPENDS … [LINK …])
include(HetPrecompile)

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
  cmake_parse_arguments(ARG "LLVM;SHARED;MODULE" "LAYER" "SOURCES;DEPENDS;LINK" ${ARGN})
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
    set_property(GLOBAL APPEND PROPERTY HET_PRODUCTS ${name})
  endif()
endfunction()

function(het_lowering_version target)
  cmake_parse_arguments(ARG "" "" "DEPENDS;FROM" ${ARGN})
  get_filename_component(own ${CMAKE_CURRENT_SOURCE_DIR} DIRECTORY)
  set(folders ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/runtime/devicelib
    ${PROJECT_SOURCE_DIR}/include/het/IR ${PROJECT_SOURCE_DIR}/include/het/Transforms
    ${PROJECT_SOURCE_DIR}/include/het/DeviceABI ${PROJECT_SOURCE_DIR}/include/het/Target)
  foreach(dependency IN LISTS ARG_DEPENDS)
    get_target_property(folder ${dependency} SOURCE_DIR)
    list(APPEND folders ${folder})
  endforeach()
  foreach(folder IN LISTS ARG_FROM)
    list(APPEND folders ${own}/${folder})
  endforeach()
  set(patterns ${own}/*.h ${PROJECT_SOURCE_DIR}/cmake/HetLibrary.cmake)
  foreach(folder IN LISTS folders)
    foreach(kind c cpp h def td ld sed txt)
      list(APPEND patterns ${folder}/*.${kind})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES patterns)
  list(POP_FRONT patterns headers)
  file(GLOB headers CONFIGURE_DEPENDS ${headers})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  list(APPEND sources ${headers})
  list(SORT sources)
  list(REMOVE_DUPLICATES sources)

  set(folder ${CMAKE_BINARY_DIR}/lowering-versions/${target})
  set(lines "# LLVM ${LLVM_PACKAGE_VERSION}\n")
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
    string(APPEND lines "${path}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/sources.txt CONTENT "${lines}" @ONLY)
  set(script ${PROJECT_SOURCE_DIR}/cmake/HashSources.cmake)
  add_custom_command(OUTPUT ${folder}/LoweringVersion.h
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DSOURCES=${folder}/sources.txt
      -DHEADER=${folder}/LoweringVersion.h -P ${script}
    DEPENDS ${sources} ${folder}/sources.txt ${script}
    COMMENT "het-${target}-lowering: version" VERBATIM)
  add_library(het-${target}-lowering-version INTERFACE ${folder}/LoweringVersion.h)
  target_include_directories(het-${target}-lowering-version INTERFACE ${folder})
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

function(het_add_lowering target)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;FROM" ${ARGN})
  het_lowering_version(${target} DEPENDS ${ARG_DEPENDS} FROM ${ARG_FROM})
  set(name het-${target}-lowering)
  het_add_library(${name} MODULE LAYER 4 SOURCES ${ARG_SOURCES}
    ${PROJECT_SOURCE_DIR}/lib/Target/Support/Lowering/ExitDestructors.cpp)
  set_target_properties(${name} PROPERTIES HET_LLVM TRUE)
  het_check_layer(${name} ${ARG_DEPENDS})
  target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  set(archives)
  foreach(dependency IN LISTS ARG_DEPENDS)
    list(APPEND archives $<TARGET_FILE:${dependency}>)
    add_dependencies(${name} ${dependency})
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:${dependency}>)
  endforeach()
  file(GLOB llvm ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a
    ${LLVM_LIBRARY_DIR}/liblld*.a ${LLVM_LIBRARY_DIR}/libPolly*.a)
  list(FILTER llvm EXCLUDE REGEX "CAPI|Python")
  target_link_libraries(${name} PRIVATE het-${target}-lowering-version
    -Wl,--start-group ${archives} ${llvm} -Wl,--end-group
    ZLIB::ZLIB zstd::libzstd_shared LibXml2::LibXml2 ${CMAKE_DL_LIBS} Threads::Threads)
  # The build ID is what caches know a lowering by.
  target_link_options(${name} PRIVATE -Wl,--gc-sections -Wl,--as-needed -Wl,--exclude-libs,ALL
    -Wl,--build-id=sha1)
  if(NOT HET_SANITIZE) # a sanitizer's functions are the program's
    target_link_options(${name} PRIVATE -Wl,--no-undefined)
  endif()
  set_target_properties(${name} PROPERTIES PREFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/het/targets)
  install(TARGETS ${name} DESTINATION lib/het/targets)
endfunction()

function(het_device_code variable)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  set(support ${PROJECT_SOURCE_DIR}/lib/Target/Support)
  set(bitcode ${CMAKE_CURRENT_BINARY_DIR}/DeviceCode.bc)
  add_custom_command(OUTPUT ${bitcode}
    COMMAND ${LLVM_TOOLS_BINARY_DIR}/clang -std=c17 -O2 -emit-llvm -Wall -Wextra
      -ffreestanding -fno-builtin -ffp-contract=off -fno-vectorize -fno-slp-vectorize
      -Xclang -no-enable-noundef-analysis
      -fno-stack-protector -fno-ident -fno-asynchronous-unwind-tables -fno-unwind-tables
      -I${PROJECT_SOURCE_DIR}/include
      -c ${CMAKE_CURRENT_SOURCE_DIR}/DeviceCode.c -o ${bitcode}
    DEPENDS DeviceCode.c ${ARG_DEPENDS} ${support}/Lowering/ServiceCode.h
      ${PROJECT_SOURCE_DIR}/include/het/DeviceABI/Services.h
    COMMENT "${CMAKE_CURRENT_SOURCE_DIR}/DeviceCode.c" VERBATIM)
  set(${variable} ${bitcode} PARENT_SCOPE)
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
  set_property(GLOBAL APPEND PROPERTY HET_PRODUCTS ${name})
  install(TARGETS ${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
