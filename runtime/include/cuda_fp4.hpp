// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions behind cuda_fp4.h, which has them itself.

#include "cuda_fp4.h"
