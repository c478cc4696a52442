// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that device and host share. CUDA source has all of it without
// including anything; for a host compiler there is nothing in it.

#ifndef HET_CRT_COMMON_FUNCTIONS_H
#define HET_CRT_COMMON_FUNCTIONS_H

#include "../cuda_runtime.h"

#endif // HET_CRT_COMMON_FUNCTIONS_H
