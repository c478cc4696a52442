// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results that are numbers: they go to the device, or to the program's own memory, for
// which the call waits.

#ifndef HET_LIBS_CUBLAS_RESULTS_H
#define HET_LIBS_CUBLAS_RESULTS_H

#include "Library.h"

namespace het::blas {

/// Runs `compute(partials, place)`, which puts `size` bytes to `place` on the device.
template <class Compute>
cublasStatus_t deliver(cublasHandle_t handle, void *result, size_t size,
                       Compute compute) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result)
    return CUBLAS_STATUS_INVALID_VALUE;
  void *partials = nullptr;
  cudaError_t error = handle->partials(&partials);
  if (error != cudaSuccess)
    return convert(error);
  if (handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE)
    return convert(compute(partials, result));
  void *place = static_cast<char *>(partials) + reductionBytes;
  error = compute(partials, place);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(result, place, size, cudaMemcpyDeviceToHost, handle->stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(handle->stream);
  return convert(error);
}

template <class T, class Compute>
cublasStatus_t deliver(cublasHandle_t handle, T *result, Compute compute) {
  return deliver(handle, result, sizeof(T), compute);
}

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_RESULTS_H
