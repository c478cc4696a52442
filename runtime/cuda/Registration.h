// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points that compiled host code calls by itself: constructors that
// register the embedded package with its kernels and variables, and the pieces
// of `<<<…>>>`. Their form is that of Clang's host code for CUDA.

#ifndef HET_RUNTIME_CUDA_REGISTRATION_H
#define HET_RUNTIME_CUDA_REGISTRATION_H

#include "Api.h"

#pragma GCC visibility push(default)
extern "C" {

/// `wrapper` begins { u32 magic, u32 version, void *data, … }; the data is a
/// package or a reference to one beside the program. Returns a handle for the
/// other calls. Reads nothing but the wrapper.
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);

/// Ties the stub at `hostFunction` to the kernel `deviceName`.
int __cudaRegisterFunction(void **handle, const char *hostFunction, char *deviceFunction,
                           const char *deviceName, int threadLimit, void *, void *,
                           void *, void *, int *);

/// Ties the shadow variable at `hostVariable` to the variable `deviceName`.
void __cudaRegisterVar(void **handle, char *hostVariable, char *deviceAddress,
                       const char *deviceName, int external, size_t size, int constant,
                       int global);

/// Ties a texture or surface reference to the variable with its handle. `mode` is its
/// cudaTextureReadMode.
void __cudaRegisterTexture(void **handle, const textureReference *reference,
                           const void **deviceAddress, const char *deviceName, int type,
                           int mode, int external);
void __cudaRegisterSurface(void **handle, const surfaceReference *reference,
                           const void **deviceAddress, const char *deviceName, int type,
                           int external);

/// A __managed__ variable: the host reaches it through the pointer at `slot`,
/// `initial` holds its initial value.
void __cudaRegisterManagedVar(void **handle, void **slot, void *initial,
                              const char *deviceName, size_t size, unsigned alignment);

/// Returns 0 if the configuration was taken.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes,
                                     CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes,
                                       void *stream);

/// Old host code asks this before its main program; there is nothing to do.
char __cudaInitModule(void **handle);

} // extern "C"
#pragma GCC visibility pop

#endif // HET_RUNTIME_CUDA_REGISTRATION_H
