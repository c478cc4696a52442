// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversions that Clang's built-in variables declare and leave to the
// owner of dim3 and uint3.

#ifndef HET_DEVICE_BUILTIN_VARIABLES_H
#define HET_DEVICE_BUILTIN_VARIABLES_H

#include "../device_launch_parameters.h"
#include "../vector_types.h"

#define HET_BUILTIN_CONVERSIONS(type)                                                    \
  __device__ inline type::operator dim3() const { return dim3(x, y, z); }                \
  __device__ inline type::operator uint3() const {                                       \
    uint3 v = {x, y, z};                                                                 \
    return v;                                                                            \
  }

HET_BUILTIN_CONVERSIONS(__cuda_builtin_threadIdx_t)
HET_BUILTIN_CONVERSIONS(__cuda_builtin_blockIdx_t)
HET_BUILTIN_CONVERSIONS(__cuda_builtin_blockDim_t)
HET_BUILTIN_CONVERSIONS(__cuda_builtin_gridDim_t)
#undef HET_BUILTIN_CONVERSIONS

#endif // HET_DEVICE_BUILTIN_VARIABLES_H
