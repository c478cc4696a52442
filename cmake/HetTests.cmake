# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How unit tests are declared (GoogleTest). Every test is known to ctest by its own name.
#
# het_add_unit_test(<name> [LLVM] SOURCES … DEPENDS … [LINK …])
#
# het_add_contract_tests(<name> TARGET <target> SOURCES … [DEPENDS …])
#   The contract suite over a target's plug-ins: SOURCES define subject(), and may have
#   tests of the target's own. DEPENDS make what stands in for its driver.
#
# het_add_pass_tool(<name> <source> DEPENDS …)
#   A program over test/unit/Target/PassTool.h, which lit tests start.
include(GoogleTest)

add_custom_target(het-unit-tests)

function(het_add_unit_test name)
  cmake_parse_arguments(ARG "LLVM" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES
    HET_LAYER 9 HET_LLVM "${ARG_LLVM}"
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  het_check_layer(${name} ${ARG_DEPENDS})
  het_common_options(${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/test/unit)
  if(ARG_LLVM)
    het_llvm_options(${name})
    add_dependencies(${name} het-tablegen)
  else()
    het_use_precompiled_headers(${name} het-test-headers)
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} ${ARG_LINK} GTest::gtest_main)
  add_dependencies(het-unit-tests ${name})
  # Names are asked for when ctest runs: a half-built tree still configures.
  # What is logged does not depend on how busy the machine is.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS unit ENVIRONMENT HET_SLOW_LOWERING=0)
endfunction()

function(het_add_contract_tests name)
  cmake_parse_arguments(ARG "" "TARGET" "SOURCES;DEPENDS" ${ARGN})
  het_add_unit_test(${name} SOURCES ${ARG_SOURCES}
    LINK $<LINK_LIBRARY:WHOLE_ARCHIVE,HetTargetContract>)
  add_dependencies(${name} het-${ARG_TARGET}-device het-${ARG_TARGET}-lowering ${ARG_DEPENDS})
endfunction()

function(het_add_pass_tool name source)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  add_executable(${name} ${source})
  set_target_properties(${name} PROPERTIES HET_LAYER 9 HET_LLVM TRUE
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  het_common_options(${name})
  het_llvm_options(${name})
  add_dependencies(${name} het-tablegen)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/lib/Target)
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} HetTargetLowering HetTransforms HetIR)
  add_dependencies(het-unit-tests ${name})
endfunction()
