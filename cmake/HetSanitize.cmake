# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# HET_SANITIZE: the sanitizers of the presets asan and tsan, for all our code.
# LLVM's own libraries are not instrumented; the checks that need both sides
# (vptr, function, container overflow) are left out.
set(HET_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")
if(HET_SANITIZE)
  set(flags -fsanitize=${HET_SANITIZE} -fno-sanitize=vptr,function
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(${flags})
  add_link_options(${flags})
endif()
