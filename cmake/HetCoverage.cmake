# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# HET_COVERAGE: all our code counts which of its lines run (tools/dev/coverage).
option(HET_COVERAGE "Count which lines run" OFF)
if(HET_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()
