// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All types that CUDA source knows without including anything.

#ifndef HET_BUILTIN_TYPES_H
#define HET_BUILTIN_TYPES_H

#include "device_types.h"
#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"

#endif // HET_BUILTIN_TYPES_H
