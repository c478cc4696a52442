// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's header for surface accesses through objects: includes the runtime API alone.

#ifndef HET_SURFACE_INDIRECT_FUNCTIONS_H
#define HET_SURFACE_INDIRECT_FUNCTIONS_H

#include "cuda_runtime.h"

#endif // HET_SURFACE_INDIRECT_FUNCTIONS_H
