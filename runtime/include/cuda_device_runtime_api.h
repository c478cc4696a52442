// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device runtime (launches made by kernels). None of it is available: the
// names are those of the host API, which Clang refuses in device code by name.

#ifndef HET_CUDA_DEVICE_RUNTIME_API_H
#define HET_CUDA_DEVICE_RUNTIME_API_H
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "driver_types.h"

#if defined(__CUDA__)
// Conditional graph nodes are set by kernels.
extern "C" __device__
    __attribute__((unavailable("hetcc does not support conditional nodes yet"))) void
    cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
#endif

#endif // HET_CUDA_DEVICE_RUNTIME_API_H
