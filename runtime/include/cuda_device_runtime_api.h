// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device runtime (launches made by kernels). None of it is available: the
// names are those of the host API, which Clang refuses in device code by name.

#ifndef HET_CUDA_DEVICE_RUNTIME_API_H
#define HET_CUDA_DEVICE_RUNTIME_API_H
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "driver_types.h"

#endif // HET_CUDA_DEVICE_RUNTIME_API_H
