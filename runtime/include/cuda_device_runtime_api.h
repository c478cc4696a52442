// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device runtime. Of it kernels have what sets the condition of a graph's node.
// Launches made by kernels are not available: the names are those of the host API, which
// Clang refuses in device code by name.

#ifndef HET_CUDA_DEVICE_RUNTIME_API_H
#define HET_CUDA_DEVICE_RUNTIME_API_H
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "driver_types.h"

#if defined(__CUDA__)
// The handle of a condition is the address of its number.
static __device__ inline __attribute__((unused)) void
cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  *(volatile unsigned int *)handle = value;
}
#endif

#endif // HET_CUDA_DEVICE_RUNTIME_API_H
