// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture fetches through references, which CUDA 12 removed; for a host compiler there is
// nothing in it.

#ifndef HET_TEXTURE_FETCH_FUNCTIONS_H
#define HET_TEXTURE_FETCH_FUNCTIONS_H

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__cplusplus)
#include "__het/texture_references.h"
#endif

#endif // HET_TEXTURE_FETCH_FUNCTIONS_H
