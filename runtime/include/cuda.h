// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver API, for C and C++ and for any compiler.

#ifndef HET_CUDA_H
#define HET_CUDA_H
#define __cuda_cuda_h__

#include "__het/version.h"
#include "crt/host_defines.h"

#include <stdlib.h>

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#include "__het/per_thread_driver.h"
#endif

#include "__het/driver_types_basic.h"
#include "__het/driver_types_structs.h"

#include "__het/driver_api.h"
#include "__het/driver_api_graph.h"
#include "__het/driver_api_memory.h"
#include "__het/driver_api_other.h"

#endif // HET_CUDA_H
