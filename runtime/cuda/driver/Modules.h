// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What modules and libraries of the driver API share: both are packages that were
// loaded by a call, with their kernels and variables. A library's handle is a module's.

#ifndef HET_RUNTIME_CUDA_DRIVER_MODULES_H
#define HET_RUNTIME_CUDA_DRIVER_MODULES_H

#include "Driver.h"
#include "PtxText.h"

namespace het::cuda::driver {

/// Loads a package out of memory or a file. A module is of the current context.
CUresult loadImage(const void *image, bool isLibrary, CUmodule *module,
                   JitLog messages = {});
CUresult loadFile(const char *path, bool isLibrary, CUmodule *module);

/// CUDA_ERROR_INVALID_HANDLE for what is the other of the two.
CUresult unloadModule(CUmodule handle, bool isLibrary);

/// The library of a handle; null where there is none.
std::shared_ptr<CUmod_st> findLibrary(CUmodule handle);

/// The kernel or variable of a name; CUDA_ERROR_NOT_FOUND.
CUresult findFunctionOf(CUmod_st &module, const char *name, Device &device,
                        CUfunction *function);
CUresult findVariableOf(CUmod_st &module, const char *name, Device &device,
                        CUdeviceptr *address, size_t *size);

/// The first `count` kernels, in the package's order.
CUresult listFunctionsOf(CUmod_st &module, Device &device, CUfunction *functions,
                         unsigned count);

} // namespace het::cuda::driver

#endif // HET_RUNTIME_CUDA_DRIVER_MODULES_H
