// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime API's types: errors, attributes, properties, memory, launches,
// graphs.

#ifndef HET_DRIVER_TYPES_H
#define HET_DRIVER_TYPES_H
#define __DRIVER_TYPES_H__

#include "crt/host_defines.h"
#include "vector_types.h"

// What is there with CUDA's, for compilers of host code.
#ifndef __CUDACC_RTC__
#include <limits.h>
#include <stddef.h>
#endif

#include "__het/runtime_attributes.h"
#include "__het/runtime_errors.h"

#include "__het/device_properties.h"
#include "__het/memory_types.h"

#include "__het/graph_types.h"
#include "__het/interop_types.h"
#include "__het/launch_types.h"

#include "surface_types.h"
#include "texture_types.h"

#endif // HET_DRIVER_TYPES_H
