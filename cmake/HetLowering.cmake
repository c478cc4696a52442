# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How targets' lowerings are declared, and the library that they are linked into
# (docs/design/size.md).
#
# het_add_lowering(<target> SOURCES … DEPENDS … [FROM …] [LINK …]
#                  [BACK_ENDS …] [ASM_PARSERS …])
#   A target's lowering. Its code goes into libhet-lowerings.so, under a name that has the
#   lowering's version; its plug-in, het-<target>-lowering.so, is the way there. SOURCES
#   define that name (HET_LOWERING_PLUGIN). DEPENDS names all libraries of this project
#   that go into it, LINK those of others. BACK_ENDS and ASM_PARSERS are those of LLVM's
#   that it initialises: no others are linked. FROM: see het_lowering_version.
#
# het_link_lowerings()
#   Links libhet-lowerings.so of all lowerings that have been added. It holds the parts of
#   LLVM that they need, out of the static libraries, and shows none of their symbols: that
#   opens in a seventh of the time, and lives beside another LLVM in one process.
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

# Which build of LLVM this is; packages of one version differ by their patches.
function(het_llvm_build_ids variable)
  set(libraries ${LLVM_LIBRARY_DIR}/libLLVM.so ${LLVM_LIBRARY_DIR}/libMLIR.so)
  execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-readelf -n ${libraries}
    OUTPUT_VARIABLE notes ERROR_QUIET)
  string(REGEX MATCHALL "Build ID: [0-9a-f]+" ids "${notes}")
  list(JOIN ids " " ids)
  set(${variable} "${ids}" PARENT_SCOPE)
  foreach(library IN LISTS libraries)
    if(EXISTS ${library})
      file(REAL_PATH ${library} library)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${library})
    endif()
  endforeach()
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
  set(patterns ${own}/*.h ${PROJECT_SOURCE_DIR}/cmake/HetLowering.cmake)
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
  het_llvm_build_ids(llvm)
  set(lines "# LLVM ${LLVM_PACKAGE_VERSION}\n! ${llvm}\n")
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
    string(APPEND lines "${path}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/sources.txt CONTENT "${lines}" @ONLY)
  set(script ${PROJECT_SOURCE_DIR}/cmake/HashSources.cmake)
  add_custom_command(OUTPUT ${folder}/LoweringVersion.h
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DNAME=${target} -DSOURCES=${folder}/sources.txt
      -DHEADER=${folder}/LoweringVersion.h -P ${script}
    DEPENDS ${sources} ${folder}/sources.txt ${script}
    COMMENT "het-${target}-lowering: version" VERBATIM)
  add_library(het-${target}-lowering-version INTERFACE ${folder}/LoweringVersion.h)
  target_include_directories(het-${target}-lowering-version INTERFACE ${folder})
endfunction()

function(het_add_lowering target)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;FROM;LINK;BACK_ENDS;ASM_PARSERS" ${ARGN})
  het_lowering_version(${target} DEPENDS ${ARG_DEPENDS} FROM ${ARG_FROM})
  set(code het-${target}-lowering-code)
  add_library(${code} OBJECT ${ARG_SOURCES})
  set_target_properties(${code} PROPERTIES HET_LAYER 4 HET_LLVM TRUE)
  het_check_layer(${code} ${ARG_DEPENDS})
  het_common_options(${code})
  het_llvm_options(${code})
  het_use_precompiled_headers(${code} het-llvm-headers)
  target_link_libraries(${code} PRIVATE het-${target}-lowering-version)
  foreach(kind DEPENDS LINK BACK_ENDS ASM_PARSERS)
    set_property(GLOBAL APPEND PROPERTY HET_LOWERINGS_${kind} ${ARG_${kind}})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY HET_LOWERINGS_CODE ${code})

  set(name het-${target}-lowering)
  het_add_library(${name} MODULE LAYER 4
    SOURCES ${PROJECT_SOURCE_DIR}/lib/Target/Support/Lowering/PluginEntry.cpp
    LINK het-${target}-lowering-version het-lowerings)
  # Caches know a lowering by the build ID. The plug-in does not change with the library,
  # but with the name of what it calls there.
  target_link_options(${name} PRIVATE -Wl,--build-id=sha1)
  set_target_properties(${name} PROPERTIES PREFIX ""
    LINK_DEPENDS_NO_SHARED ON BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "\$ORIGIN/.."
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/het/targets)
  install(TARGETS ${name} DESTINATION lib/het/targets)
endfunction()

# Back ends that lld would initialise and no lowering does: a line for each in
# UnusedBackEnds.def, a header for UnusedBackEnds.cpp.
function(het_unused_back_ends folder)
  get_property(used GLOBAL PROPERTY HET_LOWERINGS_BACK_ENDS)
  get_property(parsers GLOBAL PROPERTY HET_LOWERINGS_ASM_PARSERS)
  set(lines "")
  foreach(name IN LISTS LLVM_TARGETS_TO_BUILD)
    if(NOT name IN_LIST used)
      string(APPEND lines "HET_UNUSED_BACK_END(${name})\n")
    endif()
    if(NOT name IN_LIST parsers)
      string(APPEND lines "HET_UNUSED_ASM_PARSER(${name})\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/UnusedBackEnds.def CONTENT "${lines}" @ONLY)
endfunction()

function(het_link_lowerings)
  get_property(codes GLOBAL PROPERTY HET_LOWERINGS_CODE)
  if(NOT codes)
    return()
  endif()
  foreach(kind DEPENDS LINK)
    get_property(${kind} GLOBAL PROPERTY HET_LOWERINGS_${kind})
    list(REMOVE_DUPLICATES ${kind})
  endforeach()
  set(folder ${CMAKE_BINARY_DIR}/lowerings)
  het_unused_back_ends(${folder})
  set(support ${PROJECT_SOURCE_DIR}/lib/Target/Support/Lowering)
  het_add_library(het-lowerings SHARED LAYER 4
    SOURCES ${support}/ExitDestructors.cpp ${support}/UnusedBackEnds.cpp)
  target_include_directories(het-lowerings PRIVATE ${folder})
  target_include_directories(het-lowerings SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  set(archives)
  foreach(dependency IN LISTS DEPENDS)
    list(APPEND archives $<TARGET_FILE:${dependency}>)
    add_dependencies(het-lowerings ${dependency})
    set_property(TARGET het-lowerings APPEND PROPERTY LINK_DEPENDS
      $<TARGET_FILE:${dependency}>)
  endforeach()
  file(GLOB llvm ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a
    ${LLVM_LIBRARY_DIR}/liblld*.a)
  list(FILTER llvm EXCLUDE REGEX "CAPI|Python")
  list(TRANSFORM codes REPLACE ".+" "$<TARGET_OBJECTS:\\0>")
  target_link_libraries(het-lowerings PRIVATE ${codes}
    -Wl,--start-group ${archives} ${llvm} -Wl,--end-group ${LINK}
    ZLIB::ZLIB zstd::libzstd_shared ${CMAKE_DL_LIBS} Threads::Threads)
  target_link_options(het-lowerings PRIVATE -Wl,--as-needed -Wl,--exclude-libs,ALL
    -Wl,-z,pack-relative-relocs)
  if(NOT HET_SANITIZE) # a sanitizer's functions are the program's
    target_link_options(het-lowerings PRIVATE -Wl,--no-undefined)
  endif()
  set_target_properties(het-lowerings PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/het)
  install(TARGETS het-lowerings DESTINATION lib/het)
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
