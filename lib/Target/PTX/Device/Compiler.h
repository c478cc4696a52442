// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's PTX compiler as the driver brings it, in libnvidia-ptxjitcompiler.so.1, by the
// functions of the PTX Compiler API. It makes a cubin of a whole program. The driver's
// linker (cuLink…) is not a way to one: it compiles PTX as a part of a program, which is
// slower code (a kernel of HeCBench's attention-paged takes twice the time on an H200),
// and in 13.0 wrong code: the counter of a divergent loop goes into a uniform register.
//
// Source: NVIDIA, "PTX Compiler APIs", version 13.0.

#ifndef HET_LIB_TARGET_PTX_DEVICE_COMPILER_H
#define HET_LIB_TARGET_PTX_DEVICE_COMPILER_H

#include <cstddef>

namespace het::ptx {

using CompilerHandle = struct HetPtxCompiler *;

/// Zero is success, all else one of nvPTXCompileResult.
struct Compiler {
#define COMPILER_FUNCTIONS(FUNCTION)                                                     \
  FUNCTION(create, nvPTXCompilerCreate, (CompilerHandle *, size_t length, const char *)) \
  FUNCTION(destroy, nvPTXCompilerDestroy, (CompilerHandle *))                            \
  FUNCTION(compile, nvPTXCompilerCompile,                                                \
           (CompilerHandle, int count, const char *const *options))                      \
  FUNCTION(programSize, nvPTXCompilerGetCompiledProgramSize, (CompilerHandle, size_t *)) \
  FUNCTION(program, nvPTXCompilerGetCompiledProgram, (CompilerHandle, void *))
#define MEMBER(name, symbol, parameters) int(*name) parameters = nullptr;
  COMPILER_FUNCTIONS(MEMBER)
#undef MEMBER
  /// Messages of the latest compilation; null where the library does not have them.
  int (*errorLogSize)(CompilerHandle, size_t *) = nullptr;
  int (*errorLog)(CompilerHandle, char *) = nullptr;

  /// Looks for it in an opened driver library, then beside it; false where it lacks
  /// a function or is not there.
  bool find(void *driverLibrary);
  explicit operator bool() const { return create; }
};

} // namespace het::ptx

#endif // HET_LIB_TARGET_PTX_DEVICE_COMPILER_H
