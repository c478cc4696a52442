// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// threadIdx, blockIdx, blockDim, gridDim and warpSize.
//
// Objects that are only declared: the compiler reads the position where code reads a
// member, and gives code that uses one as a whole a copy.

#ifndef HET_DEVICE_LAUNCH_PARAMETERS_H
#define HET_DEVICE_LAUNCH_PARAMETERS_H
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"

#if defined(__CUDA__)
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
__device__ const int warpSize = 32;
#endif

#endif // HET_DEVICE_LAUNCH_PARAMETERS_H
