// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions of double. CUDA source has all of it without including
// anything; for a host compiler there is nothing in it.

#ifndef HET_DEVICE_DOUBLE_FUNCTIONS_H
#define HET_DEVICE_DOUBLE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif // HET_DEVICE_DOUBLE_FUNCTIONS_H
