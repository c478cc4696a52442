// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA headers that users include, as the implementation sees them: what
// they declare is exported, everything else in this library is hidden.

#ifndef HET_RUNTIME_CUDA_API_H
#define HET_RUNTIME_CUDA_API_H

#include "HookedNames.h"

#pragma GCC visibility push(default)
#include <cuda.h>
#include <cudaGL.h>
#include <cudaProfiler.h>
#include <cuda_gl_interop.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

#endif // HET_RUNTIME_CUDA_API_H
