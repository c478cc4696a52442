// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's header for texture fetches through objects: includes the runtime API alone.

#ifndef HET_TEXTURE_INDIRECT_FUNCTIONS_H
#define HET_TEXTURE_INDIRECT_FUNCTIONS_H

#include "cuda_runtime.h"

#endif // HET_TEXTURE_INDIRECT_FUNCTIONS_H
