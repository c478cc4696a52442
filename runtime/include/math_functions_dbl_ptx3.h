// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's mathematical functions of double. CUDA source has all of it without
// including anything; for a host compiler there is nothing in it.

#ifndef HET_MATH_FUNCTIONS_DBL_PTX3_H
#define HET_MATH_FUNCTIONS_DBL_PTX3_H

#include "cuda_runtime.h"

#endif // HET_MATH_FUNCTIONS_DBL_PTX3_H
