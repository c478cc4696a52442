// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's profiler functions: cuProfilerStart and cuProfilerStop of cuda.h, and
// cuProfilerInitialize, which CUDA 12 still has and refuses.

#ifndef HET_CUDAPROFILER_H
#define HET_CUDAPROFILER_H

#include "cuda.h"

typedef enum CUoutput_mode_enum {
  CU_OUT_KEY_VALUE_PAIR = 0,
  CU_OUT_CSV = 1
} CUoutput_mode;

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuProfilerInitialize(const char *configFile, const char *outputFile,
                              CUoutput_mode outputMode);
#ifdef __cplusplus
}
#endif

#endif // HET_CUDAPROFILER_H
