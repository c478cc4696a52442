// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA runtime API, for C and C++ and for any compiler.

#ifndef HET_CUDA_RUNTIME_API_H
#define HET_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__

#include "__het/version.h"
#include "crt/host_defines.h"

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#include "__het/per_thread_runtime.h"
#endif

#include "cuda_device_runtime_api.h"
#include "driver_types.h"

#include "__het/api_core.h"
#include "__het/api_graph.h"
#include "__het/api_memory.h"
#include "__het/api_texture_references.h"

#endif // HET_CUDA_RUNTIME_API_H
