// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture fetches through references, which CUDA 12 removed. CUDA source has
// all of it without including anything; for a host compiler there is nothing in
// it.

#ifndef HET_TEXTURE_FETCH_FUNCTIONS_H
#define HET_TEXTURE_FETCH_FUNCTIONS_H

#include "cuda_runtime.h"

#endif // HET_TEXTURE_FETCH_FUNCTIONS_H
