// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the runtime API's profiler functions, cudaProfilerStart and cudaProfilerStop.

#ifndef HET_CUDA_PROFILER_API_H
#define HET_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#endif // HET_CUDA_PROFILER_API_H
