// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture fetches through objects.

#ifndef HET_TEXTURE_INDIRECT_FUNCTIONS_H
#define HET_TEXTURE_INDIRECT_FUNCTIONS_H

#include "cuda_runtime.h"

#endif // HET_TEXTURE_INDIRECT_FUNCTIONS_H
