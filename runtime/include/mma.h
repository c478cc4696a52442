// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices that a warp holds together (nvcuda::wmma).

#ifndef HET_MMA_H
#define HET_MMA_H

#include "crt/mma.h"

#endif // HET_MMA_H
