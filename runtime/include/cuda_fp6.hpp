// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions behind cuda_fp6.h, which has them itself.

#include "cuda_fp6.h"
