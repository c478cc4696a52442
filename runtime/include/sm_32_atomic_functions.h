// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic functions of compute capability 3.2. CUDA source has all of it without
// including anything; for a host compiler there is nothing in it.

#ifndef HET_SM_32_ATOMIC_FUNCTIONS_H
#define HET_SM_32_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif // HET_SM_32_ATOMIC_FUNCTIONS_H
