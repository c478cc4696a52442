// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's device functions. CUDA source has all of it without including
// anything; for a host compiler there is nothing in it.

#ifndef HET_DEVICE_FUNCTIONS_H
#define HET_DEVICE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif // HET_DEVICE_FUNCTIONS_H
