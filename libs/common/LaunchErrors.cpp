// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The errors of the libraries' own launches. A function that ends with cudaGetLastError
// would otherwise return an older error of the program's, and take it away. So the linker
// has the libraries' kernels call these two in place of the runtime's (--wrap): a launch
// notes its failure for its thread, where the other one finds it.

#include <cuda_runtime_api.h>

extern "C" {
__attribute__((visibility("hidden"))) cudaError_t
__real_cudaLaunchKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments,
                        size_t sharedBytes, cudaStream_t stream);
__attribute__((visibility("hidden"))) cudaError_t __real_cudaGetLastError();
__attribute__((visibility("hidden"))) cudaError_t
__wrap_cudaLaunchKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments,
                        size_t sharedBytes, cudaStream_t stream);
__attribute__((visibility("hidden"))) cudaError_t __wrap_cudaGetLastError();
}

namespace {
/// The first failure since it was asked for.
thread_local cudaError_t failure = cudaSuccess;
} // namespace

cudaError_t __wrap_cudaLaunchKernel(const void *kernel, dim3 blocks, dim3 threads,
                                    void **arguments, size_t sharedBytes,
                                    cudaStream_t stream) {
  const cudaError_t programs = cudaPeekAtLastError();
  const cudaError_t error =
      __real_cudaLaunchKernel(kernel, blocks, threads, arguments, sharedBytes, stream);
  if (error == cudaSuccess)
    return error;
  if (failure == cudaSuccess)
    failure = error;
  // The library says it by its status; it is no error of the program's call.
  if (programs == cudaSuccess)
    (void)__real_cudaGetLastError();
  return error;
}

cudaError_t __wrap_cudaGetLastError() {
  const cudaError_t error = failure;
  failure = cudaSuccess;
  return error;
}
