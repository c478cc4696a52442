// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// threadIdx, blockIdx, blockDim, gridDim and warpSize.
//
// In CUDA source they are Clang's own built-in variables.

#ifndef HET_DEVICE_LAUNCH_PARAMETERS_H
#define HET_DEVICE_LAUNCH_PARAMETERS_H
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"

#if defined(__CUDA__)
#include <__clang_cuda_builtin_vars.h>
#endif

#endif // HET_DEVICE_LAUNCH_PARAMETERS_H
