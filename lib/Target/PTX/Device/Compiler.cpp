// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the library of NVIDIA's PTX compiler and finds its functions.

#include "Compiler.h"

#include <dlfcn.h>

namespace het::ptx {

static bool findFunctions(void *library, Compiler &compiler) {
#define FIND(name, symbol, parameters)                                                   \
  compiler.name = reinterpret_cast<int(*) parameters>(dlsym(library, #symbol));          \
  if (!compiler.name) {                                                                  \
    compiler = {};                                                                       \
    return false;                                                                        \
  }
  COMPILER_FUNCTIONS(FIND)
#undef FIND
  compiler.errorLogSize = reinterpret_cast<int (*)(CompilerHandle, size_t *)>(
      dlsym(library, "nvPTXCompilerGetErrorLogSize"));
  compiler.errorLog = reinterpret_cast<int (*)(CompilerHandle, char *)>(
      dlsym(library, "nvPTXCompilerGetErrorLog"));
  return true;
}

bool Compiler::find(void *driverLibrary) {
  if (findFunctions(driverLibrary, *this))
    return true;
  void *library = dlopen("libnvidia-ptxjitcompiler.so.1", RTLD_NOW | RTLD_LOCAL);
  return library && findFunctions(library, *this);
}

} // namespace het::ptx
